// SPDX-License-Identifier: GPL-3.0-or-later
// Menus, search and exports.
#include "app/window/bars/action_words.h"
#include "tests/app/program.h"
#include "tests/app/window/whole/whole_window.h"
#include "tests/support/test_main.h"
#include "widgets/dialog/action_search.h"
#include "widgets/dialog/go_to_dialog.h"
#include "widgets/export/figure.h"
#include "widgets/figure/figure_editor.h"
#include "widgets/figure/file_choice.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/parts/text.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QProgressDialog>
#include <QTest>
#include <QTimer>

using namespace vqscope;
using namespace vqscope::test;

namespace {

void chooseFormats(FigureEditor& editor, const QStringList& formats) {
  editor.findChild<FileChoice*>()->setFormats(formats);
}

}  // namespace

class WindowActionsTest : public WholeWindowCase {
  Q_OBJECT

 private slots:
  void everyActionHasItsText() {
    WholeWindow s;
    QList<QKeySequence> keys;
    int actions = 0;
    QList<QMenu*> menus;
    for (const auto* bar : s.window.menuBar()->actions()) menus << bar->menu();
    for (qsizetype i = 0; i < menus.size(); ++i) {
      QVERIFY(!menus[i]->title().remove('&').trimmed().isEmpty());
      for (const auto* action : menus[i]->actions()) {
        if (action->isSeparator()) continue;
        if (action->menu()) menus << action->menu();
        ++actions;
        QVERIFY2(!action->text().remove('&').trimmed().isEmpty(), qPrintable(menus[i]->title()));
        for (const auto& key : action->shortcuts()) {
          if (key.isEmpty()) continue;
          QVERIFY2(!keys.contains(key), qPrintable(action->text() + ": " + key.toString() + " is another's"));
          keys << key;
        }
      }
    }
    QVERIFY2(actions >= 15, qPrintable(QString::number(actions)));
  }

  void methodsAreFoundByName() {
    WholeWindow s;
    auto* search = s.window.findChild<ActionSearch*>();
    search->setFocus();
    QTest::keyClicks(search, "rope_cos");
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(s.bench().session().current, std::string("rotary"));
    QCOMPARE(s.bench().current().method, std::string("rope_cos"));
    QTRY_VERIFY(search->text().isEmpty());
    s.settle();
  }

  void parametersAreFoundByName() {
    WholeWindow s;
    auto* search = s.window.findChild<ActionSearch*>();
    search->setFocus();
    QTest::keyClicks(search, "rope_theta");
    QTest::keyClick(search, Qt::Key_Return);
    QVERIFY(s.bench().session().current == "rotary" || s.bench().session().current == "curves");
    QTRY_VERIFY(search->text().isEmpty());
    QVERIFY(s.window.currentPanel()->findChild<QLineEdit*>("rope_theta"));
    s.settle();
    QTest::keyClicks(search, "nonsense");
    QTest::keyClick(search, Qt::Key_Escape);
    QVERIFY(search->text().isEmpty());
  }

  void valuesAreSetByTyping() {
    WholeWindow s;
    auto* search = s.window.findChild<ActionSearch*>();
    const auto type = [&](const char* typed) {
      search->setFocus();
      QTest::keyClicks(search, typed);
      QTest::keyClick(search, Qt::Key_Return);
    };
    type("T 333");
    QCOMPARE(s.bench().current().values.integer("q_length"), Index{333});
    type("T 0");
    QCOMPARE(search->text(), QString("T 0"));  // the list says why
    QTest::keyClick(search, Qt::Key_Escape);
    QCOMPARE(s.bench().current().values.integer("q_length"), Index{333});
    type("rope 4k");
    QCOMPARE(s.bench().current().method, std::string("rope_phase"));
    QCOMPARE(s.bench().current().values.integer("q_length"), Index{4096});
    s.settle();
  }

  /// The search finds them by these words, so the titles must be those of actions.
  void describedActionsAreThere() {
    WholeWindow s;
    QStringList titles;
    for (QAction* action : s.window.findChildren<QAction*>()) titles << action->text().remove('&');
    for (const QMenu* menu : s.window.findChildren<QMenu*>())
      for (const QAction* action : menu->actions())
        titles << QString(menu->title() + ": " + action->text()).remove('&');
    for (const auto& words : action_words())
      QVERIFY2(titles.contains(QString::fromUtf8(words.title.data(), static_cast<qsizetype>(words.title.size()))),
               words.title.data());
  }

  /// The line that is copied writes the figure that the window writes.
  void theCopiedLineGivesTheSameFile() {
    WholeWindow s;
    s.setLength(33);
    s.trigger("Copy command line");
    const QString line = QApplication::clipboard()->text();
    QCOMPARE(line, QString("vqscope export t5_bucket --set q_length=33 --out t5_bucket.png"));
    const auto outcome = runProgram(*m_folder, line.split(' ').mid(1));
    QCOMPARE(outcome.err, QByteArray());
    const auto target = s.window.currentPage()->exportTargets().front();
    const ExportRequest request{
        .method = target.method, .values = target.values, .look = s.bench().current(), .figures = qtFigureMaker()};
    QVERIFY(export_file(request, m_folder->filePath("window.png").toStdString(), {}, {}));
    QVERIFY(contentOf(*m_folder, "t5_bucket.png") == contentOf(*m_folder, "window.png"));
  }

  void goingToACellByTyping_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("expected");
    QTest::newRow("cell") << "230, 317"
                          << "";
    QTest::newRow("blank between") << "230 317"
                                   << "";
    QTest::newRow("outside") << "600, 1"
                             << "cell (600, 1) is outside the matrix";
    QTest::newRow("one number") << "5"
                                << "enter a cell as two whole numbers";
    QTest::newRow("words") << "a, b"
                           << "a is not a whole number";
    QTest::newRow("numbers and a word") << "1, 2, b"
                                        << "b is not a whole number";
    QTest::newRow("long") << QString(20000, 's')
                          << QString(59, 's') + "… is not a whole number; enter a cell as row, column";
  }

  void goingToACellByTyping() {
    QFETCH(QString, typed);
    QFETCH(QString, expected);
    WholeWindow s;
    QString refused;
    whenModal<GoToDialog>([typed, &refused](GoToDialog& dialog) {
      dialog.findChild<QLineEdit*>()->setText(typed);
      dialog.accept();
      if (!dialog.isVisible()) return;
      for (const auto* label : dialog.findChildren<QLabel*>())
        if (label->property("class") == "error") refused = label->text();
      dialog.reject();
    });
    s.trigger("Go to cell");
    s.settle();
    if (expected.isEmpty())
      QVERIFY2(s.shownMessage().contains("q 230   k 317"), qPrintable(s.shownMessage()));
    else
      QVERIFY2(refused.contains(expected), qPrintable(refused));
  }

  void closingTheWindowEndsItsExport() {
    WholeWindow s;
    s.setLength(8192);
    s.settle();
    const QString path = m_folder->filePath("cells.csv");
    bool closed = false;
    whenModal<FigureEditor>([&](FigureEditor& dialog) {
      chooseFormats(dialog, {"csv"});
      answerFile(path);
      auto* timer = new QTimer(qApp);
      connect(timer, &QTimer::timeout, timer, [&, timer] {
        if (!s.window.findChild<QProgressDialog*>()) return;
        timer->deleteLater();
        closed = s.window.close();
      });
      timer->start(1);
      dialog.accept();
    });
    s.trigger("Export");
    QVERIFY(closed);
    QCOMPARE(QDir(m_folder->path()).entryList({"cells*"}), QStringList());
  }

  /// The entries are kept for another try.
  void failedExportIsReportedAndCanBeRetried() {
    WholeWindow s;
    QString warned;
    QStringList formats;
    whenModal<FigureEditor>([&](FigureEditor& dialog) {
      chooseFormats(dialog, {"csv"});
      answerFile(m_folder->filePath("no/such/folder/cells.csv"));
      whenModal<QMessageBox>([&](QMessageBox& box) {
        warned = box.text();
        whenModal<FigureEditor>([&](FigureEditor& again) {
          formats = again.formats();
          again.reject();
        });
        box.accept();
      });
      dialog.accept();
    });
    s.trigger("Export");
    QVERIFY2(warned.contains("cells.csv") && warned.contains("there is no directory"), qPrintable(warned));
    QCOMPARE(formats, QStringList{"csv"});
    QVERIFY(!QDir(m_folder->filePath("no")).exists());
  }
};

VQSCOPE_TEST(WindowActionsTest)
#include "window_actions_test.moc"
