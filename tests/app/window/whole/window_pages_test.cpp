// SPDX-License-Identifier: GPL-3.0-or-later
// Pages and their looks.
#include "tests/app/window/whole/whole_window.h"
#include "tests/support/test_main.h"
#include "widgets/dialog/config_dialog.h"
#include "widgets/page/model_page.h"
#include "widgets/page/survey_page.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/parts/text.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTableWidget>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

class WindowPagesTest : public WholeWindowCase {
  Q_OBJECT

 private slots:
  void everyPageOpensByItsKey() {
    WholeWindow s;
    s.bench().showPage("start");
    for (const int number : {2, 1, 3, 1, 4, 1, 5, 1, 6, 1}) {
      if (number > std::ssize(room_infos())) break;
      QTest::keyClick(&s.window, static_cast<Qt::Key>(Qt::Key_0 + number), Qt::ControlModifier);
      const auto& room = room_infos()[static_cast<std::size_t>(number - 1)];
      const auto& info = *find_page_info(number == 4 ? "buckets" : room.pages.front());
      QCOMPARE(s.bench().session().current, info.id);
      QCOMPARE(&s.window.currentPage()->info(), &info);
      QVERIFY(s.window.currentPage()->isVisible());
      QCOMPARE(s.window.currentPanel()->isVisible(), s.window.currentPage()->hasSides());
      QCOMPARE(s.window.currentPage()->hasSides(), number > 2 && number < 6);  // no form beside start, model, questions
      s.settle();
    }
    QVERIFY(!s.bench().undoStack().canUndo());
  }

  void everyPageFitsANarrowWindow() {
    WholeWindow s;
    s.window.openFile(":/configs/deepseek-v3.json");
    for (const auto& info : page_infos()) {
      s.bench().showPage(info.id);
      s.settle();
      QApplication::processEvents();
      QVERIFY2(s.window.minimumSizeHint().width() <= 800, info.id.c_str());
      s.window.resize(1100, 700);
      QVERIFY2(s.window.width() <= 1100, info.id.c_str());
    }
  }

  /// The meaning of a model's config is shown on the model's page, in a dialog, and on the Rotary
  /// page.
  void aModelsConfigIsOpened() {
    WholeWindow s;
    s.window.openFile(":/configs/llama-3.1-8b.json");
    auto* page = qobject_cast<ModelPage*>(s.window.currentPage());
    QVERIFY(page && page->isVisible());
    QCOMPARE(s.bench().session().subject.model, std::string("llama-3.1-8b"));
    QCOMPARE(s.bench().undoStack().count(), 1);
    QVERIFY(!s.window.findChild<ConfigDialog*>());
    for (auto* button : page->findChildren<QPushButton*>())
      if (button->text().startsWith("Config details")) button->click();
    const auto* dialog = s.window.findChild<ConfigDialog*>();
    QVERIFY(dialog);
    QTRY_VERIFY(dialog->isVisible());
    QVERIFY2(dialog->windowTitle().startsWith("llama-3.1-8b"), qPrintable(dialog->windowTitle()));
    const auto tables = dialog->findChildren<QTableWidget*>();
    QVERIFY(std::ranges::any_of(tables, [](const auto* table) { return table->rowCount() == 64; }));
    QPushButton* show = nullptr;
    for (auto* button : dialog->findChildren<QPushButton*>())
      if (button->text().startsWith("Show ")) show = show ? show : button;
    QVERIFY(show);
    show->click();
    s.settle();
    QCOMPARE(s.bench().session().current, std::string("rotary"));
    const auto& values = s.bench().page("rotary").values;
    QCOMPARE(values.choice("rope_type"), std::string("llama3"));
    QCOMPARE(values.real("factor"), 8.0);
    QVERIFY(s.bench().undoStack().canUndo());
    writeTo(m_folder->filePath("none.json"), "{\"a\": }");
    s.open(m_folder->filePath("none.json"));
    QVERIFY2(s.shownMessage().contains("none.json: line 1"), qPrintable(s.shownMessage()));
    QApplication::clipboard()->setText("no config");
    s.trigger("Paste model config");
    QVERIFY2(s.shownMessage().contains("The clipboard does not contain a model config"), qPrintable(s.shownMessage()));
  }

  void theSurveyOpensMethods() {
    WholeWindow s;
    s.trigger("Survey of position encodings");
    auto* survey = qobject_cast<SurveyPage*>(s.window.currentPage());
    QVERIFY(survey && survey->isVisible());
    auto* table = survey->findChild<QTableWidget*>();
    for (const char* name : {"T5 bias", "KERPLE log", "Sandwich", "xPos", "YaRN"})
      QCOMPARE(table->findItems(name, Qt::MatchExactly).size(), 1);
    QCoreApplication::processEvents();
    for (int i = 0; i < 20; ++i) QCoreApplication::processEvents();
    for (const auto* timer : survey->findChildren<QTimer*>()) QVERIFY2(!timer->isActive(), "it comes to rest");
    const QString csv = m_folder->filePath("survey.csv");
    QTimer::singleShot(0, this, [&csv] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (!dialog) return;
      dialog->findChild<QLineEdit*>("fileNameEdit")->setText(csv);
      static_cast<QDialog*>(dialog)->accept();
    });
    s.trigger("Export");
    QVERIFY2(s.shownMessage().contains("survey.csv"), qPrintable(s.shownMessage()));
    QVERIFY(QFileInfo(csv).size() > 0);
    const auto found = table->findItems("ALiBi", Qt::MatchExactly);
    QCOMPARE(found.size(), 1);
    table->setCurrentItem(found.front());
    emit table->cellActivated(found.front()->row(), 0);
    s.settle();
    QCOMPARE(s.bench().session().current, std::string("biases"));
    QCOMPARE(s.bench().current().method, std::string("alibi"));
    s.trigger("Survey of position encodings");
    table->setCurrentItem(table->findItems("YaRN", Qt::MatchExactly).front());
    emit table->cellActivated(table->currentRow(), 0);
    s.settle();
    QCOMPARE(s.bench().current().values.choice("rope_type"), std::string("yarn"));
  }

  void pagesOfCurvesHaveNoCells() {
    WholeWindow s;
    s.bench().showPage("curves");
    s.settle();
    s.trigger("Go to cell");
    QVERIFY2(s.shownMessage().contains("no matrix"), qPrintable(s.shownMessage()));
    s.trigger("Zoom in");
    s.trigger("Fit");
  }

  void helpIsShown() {
    WholeWindow s;
    for (const char* text : {"Keys and mouse", "Sessions and recovery", "About VQScope"}) {
      QString shown;
      whenModal<QMessageBox>([&shown](QMessageBox& box) {
        shown = box.text();
        box.accept();
      });
      s.trigger(text);
      QVERIFY2(shown.size() > 50, text);
      QVERIFY2(text != QByteArray("About VQScope") || shown.contains("VQScope 0."), "the version");
    }
  }

  /// As the window does when it becomes active again.
  void focusLeavesHiddenWidgets() {
    WholeWindow s;
    QWidget* field = s.window.currentPanel()->findChild<QWidget*>("q_length");
    s.bench().showPage("curves");
    QVERIFY(!field->isVisible());
    field->setFocus();
    QVERIFY(QApplication::focusWidget() != field);
    QVERIFY(s.window.focusWidget() != field);
    // The list of a box that closes has nowhere to give it back to.
    s.bench().showPage("buckets");
    auto* box = s.window.currentPanel()->findChild<QComboBox*>();
    if (auto* focus = s.window.focusWidget()) focus->clearFocus();
    box->showPopup();
    box->view()->setFocus();
    box->hidePopup();
    QTRY_VERIFY(!QApplication::focusWidget() || QApplication::focusWidget()->isVisible());
  }

  /// The requester of the file is gone.
  void buttonOfAHiddenPageDoesNotExport() {
    WholeWindow s;
    QToolButton* button = nullptr;
    for (auto* each : s.window.currentPage()->findChildren<QToolButton*>())
      if (each->isVisible() && each->toolTip() == "Export this map") button = each;
    QVERIFY(button);
    QTest::mousePress(button, Qt::LeftButton);
    s.bench().showPage("survey");
    QTest::mouseRelease(button, Qt::LeftButton);
    QVERIFY(!QApplication::activeModalWidget());
  }

  /// Qt goes through all widgets meanwhile, and would touch one that is gone.
  void aThemeDeletesNoWidget() {
    WholeWindow s;
    for (const auto& info : page_infos()) {
      s.bench().showPage(info.id);
      s.settle();
      QObject watch;
      int deleted = 0;
      for (const QWidget* each : QApplication::allWidgets())
        connect(each, &QObject::destroyed, &watch, [&deleted] { ++deleted; });
      applyTheme(*qApp, currentTheme() == Theme::dark ? Theme::light : Theme::dark);
      QVERIFY2(deleted == 0, info.id.c_str());
    }
  }

  void themesReachHiddenPages() {
    WholeWindow s;
    s.bench().showPage("survey");
    s.settle();
    s.bench().showPage("buckets");
    s.settle();
    s.trigger("Dark");
    s.bench().showPage("survey");
    s.settle();
    const auto* table = s.window.currentPage()->findChild<QTableWidget*>();
    const QImage shown = table->horizontalHeader()->grab().toImage();
    QCOMPARE(QColor(shown.pixel(1, 1)).name(), palette(Theme::dark).panel.name());
    s.trigger("Light");
  }

  void themeChangesTheScreen() {
    WholeWindow s;
    s.trigger("Dark");
    QVERIFY(currentTheme() == Theme::dark);
    s.settle();
    const QImage dark = s.window.grab().toImage();
    s.trigger("Light");
    s.settle();
    QVERIFY(qGray(s.window.grab().toImage().pixel(5, 5)) > qGray(dark.pixel(5, 5)));
  }
};

VQSCOPE_TEST(WindowPagesTest)
#include "window_pages_test.moc"
