// SPDX-License-Identifier: GPL-3.0-or-later
// Files of sessions.
#include "core/session/session_json.h"
#include "tests/app/window/whole/whole_window.h"
#include "tests/support/needs_lab.h"
#include "tests/support/session_values.h"
#include "tests/support/test_main.h"
#include "widgets/page/plain_pages.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/parts/text.h"

#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class WindowSessionsTest : public WholeWindowCase {
  Q_OBJECT

 private slots:
  void sessionsAreRestored() {
    const QString path = m_folder->filePath("work.vqscope");
    Session saved;
    {
      WholeWindow s;
      s.setLength(1234);
      s.bench().showPage("rotary");
      s.bench().setView("buckets", ViewRange{1, 20, 3, 40});
      answerFile(path);
      s.trigger("Save session as");
      QVERIFY2(!s.window.isWindowModified(), qPrintable(s.shownMessage()));
      QVERIFY(s.window.windowTitle().contains("work.vqscope"));
      saved = s.bench().session();
      // Once more, to the same file and without a question.
      s.setLength(4321);
      s.trigger("Save session");
      QVERIFY(!s.window.isWindowModified());
      QCOMPARE(read_session(bytesOf(path))->session.current, std::string("buckets"));
      s.bench().undoStack().undo();
      s.bench().showPage("rotary");
      QVERIFY(s.window.isWindowModified());
      s.trigger("Save session");
    }
    WholeWindow s;
    answerFile(path);
    s.trigger("Open…");
    s.settle();
    QCOMPARE(s.bench().session(), saved);
    QVERIFY(!s.window.isWindowModified() && !s.bench().undoStack().canUndo());
    QVERIFY(s.window.windowTitle().contains("work.vqscope"));
    s.settle();
  }

  void masksAreOpenedAsFiles() {
    QFile file(m_folder->filePath("cells.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("1,0,0\n1,1,0\n1,1,1\n");
    file.close();
    WholeWindow s;
    s.open(file.fileName());
    QCOMPARE(s.bench().session().current, std::string("masks"));
    QVERIFY(s.shownMessage().contains("cells.csv: whole numbers, 0 and 1: 1 is visible"));
    const auto* page = &s.bench().page("masks");
    QCOMPARE(page->values.choice("mask"), std::string("dump"));
    QCOMPARE(s.bench().undoStack().count(), 1);
    s.trigger("What is this mask?");
    s.settle();
    QVERIFY2(!s.window.findChild<QDockWidget*>("inspector")->visibleRegion().isEmpty(), "behind the checks");
    for (auto* button : s.window.findChildren<QPushButton*>())
      if (button->text() == "Use as text") button->click();
    QCOMPARE(page->values.choice("mask"), std::string("custom"));
    QCOMPARE(page->values.text("mask_text"), std::string("return (kv_idx <= q_idx)\n"));
    s.trigger("Go to the first difference");
    s.settle();
    QVERIFY(s.shownMessage().contains("No second mask to compare with"));
    s.bench().undoStack().undo();
    s.bench().undoStack().undo();
    QCOMPARE(page->values, shown_page(default_session(), "masks").values);
    s.settle();
  }

  void saveAddsTheSuffix() {
    WholeWindow s;
    answerFile(m_folder->filePath("plain"));
    s.trigger("Save session as");
    QVERIFY(QFile::exists(m_folder->filePath("plain.vqscope")));
  }

  void failedSaveIsReported() {
    WholeWindow s;
    s.setLength(5);
    answerFile(m_folder->filePath("work.vqscope"));
    s.trigger("Save session as");
    QVERIFY(!s.window.isWindowModified());
    s.setLength(6);
    // A folder in the file's place cannot be overwritten, not even by the superuser.
    QVERIFY(QFile::remove(m_folder->filePath("work.vqscope")) && QDir(m_folder->path()).mkdir("work.vqscope"));
    s.trigger("Save session");
    QVERIFY2(s.shownMessage().contains("work.vqscope"), qPrintable(s.shownMessage()));
    QVERIFY(s.window.isWindowModified());
  }

  void damagedSessions_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("binary") << QByteArray("\x00\xff\x80\x01{[", 6);
    QTest::newRow("cut") << QByteArray::fromStdString(session_text(default_session())).left(200);
    QTest::newRow("another JSON") << QByteArray("{\"a\": 1}");
    QTest::newRow("deep") << QByteArray(100'000, '[');
  }

  void damagedSessions() {
    QFETCH(QByteArray, content);
    const QString path = m_folder->filePath("damaged.vqscope");
    writeTo(path, content);
    WholeWindow s;
    s.setLength(99);
    const Session before = s.bench().session();
    s.open(path);
    QCOMPARE(s.bench().session(), before);
    QVERIFY2(s.shownMessage().contains("damaged.vqscope"), qPrintable(s.shownMessage()));
    QVERIFY(s.bench().undoStack().canUndo());
    QVERIFY(!s.window.windowTitle().contains("damaged"));
    s.open(m_folder->filePath("nowhere.vqscope"));
    QVERIFY2(s.shownMessage().contains("nowhere.vqscope"), qPrintable(s.shownMessage()));
    s.open(m_folder->path());
    QCOMPARE(s.bench().session(), before);
  }

  void newSessionConfirmsDiscardingEdits() {
    WholeWindow s;
    s.setLength(99);
    answerQuestion(QMessageBox::Cancel);
    s.trigger("New session");
    QCOMPARE(s.length(), Index{99});
    QVERIFY(s.window.isWindowModified());
    answerQuestion(QMessageBox::Discard);
    s.trigger("New session");
    QCOMPARE(s.bench().session(), default_session());
    QVERIFY(!s.window.isWindowModified());
    s.trigger("New session");  // nothing to lose, no question
  }

  /// Neither an error that stood in a form nor a picture.
  void newSessionClearsErrorsAndPictures() {
    NEEDS_LAB();
    WholeWindow s;
    s.bench().showPage("vq");
    s.settle();
    auto* box = s.window.currentPanel()->findChild<QLineEdit*>(QStringLiteral("n_code"));
    QVERIFY(box);
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, "0");
    QTest::keyClick(box, Qt::Key_Return);
    QVERIFY(s.window.currentPage()->freshness().isOutdated());
    s.bench().showPage("start");
    s.bench().setSession(default_session());
    s.bench().showPage("vq");
    QVERIFY(!s.window.currentPage()->freshness().isOutdated());
    QVERIFY(!s.window.currentPage()->extent());
    s.settle();
    QVERIFY(s.window.currentPage()->freshness().isCurrent());
  }

  void savingAnswersTheUnsavedChangesQuestion() {
    const QString path = m_folder->filePath("work.vqscope");
    QVERIFY(write_session(default_session(), bytesOf(path)));
    WholeWindow s;
    s.open(path);
    s.setLength(99);
    answerQuestion(QMessageBox::Save);
    s.trigger("New session");
    QCOMPARE(s.bench().session(), default_session());
    QCOMPARE(s.window.windowTitle(), QString("VQScope[*]"));
    QCOMPARE(shown_page(read_session(bytesOf(path))->session, "buckets").values.integer("q_length"), Index{99});
    s.setLength(98);
    answerQuestion(QMessageBox::Save);
    answerFile(m_folder->filePath("no/such/folder.vqscope"));
    s.trigger("New session");  // could not be saved: nothing is discarded
    QCOMPARE(s.length(), Index{98});
  }

  void badSessionValueIsReported() {
    const QString path = m_folder->filePath("range.vqscope");
    Session session = default_session();
    set_value(*find_page(session, "buckets"), "q_length", Index{400});
    auto json = QByteArray::fromStdString(session_text(session));
    writeTo(path, json.replace("\"q_length\": 400", "\"q_length\": -3"));
    WholeWindow s;
    s.open(path);
    QVERIFY2(s.shownMessage().contains(
                 "range.vqscope: Buckets: q_length is -3 but must be an integer from 1 to 2147483648; it is "
                 "512 now"),
             qPrintable(s.shownMessage()));
    QCOMPARE(s.length(), Index{512});
    QVERIFY(s.window.windowTitle().startsWith("range.vqscope"));
    // Its other values exist only in the file, so saving requests a path.
    const QString other = m_folder->filePath("other.vqscope");
    answerFile(other);
    s.trigger("Save session");
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly) && file.readAll().contains("\"q_length\": -3"));
    QVERIFY(QFile::exists(other));
    s.trigger("Save session");  // no question about a file that is complete
  }
};

VQSCOPE_TEST(WindowSessionsTest)
#include "window_sessions_test.moc"
