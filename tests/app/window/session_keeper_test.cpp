// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session_keeper.h"

#include "app/window/window_layout.h"
#include "core/session/resolve.h"
#include "core/session/session_json.h"
#include "tests/app/window/saved_start.h"
#include "tests/support/session_values.h"
#include "tests/support/test_main.h"
#include "widgets/parts/message_bar.h"
#include "widgets/parts/text.h"
#include "widgets/theme/palette.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QTest>

#include <filesystem>

using namespace vqscope;
using namespace vqscope::test;

class SessionKeeperTest : public SavedStartCase {
  Q_OBJECT

 private slots:
  void initTestCase() { QApplication::setQuitOnLastWindowClosed(false); }

  void orderlyEndLeavesNoJournal() {
    {
      SavedStart start;
      start.setLength(77);
      start.settle();
      QVERIFY(!left().isEmpty());
      QVERIFY(start.window.close());
      QCOMPARE(left(), QStringList());
    }
    SavedStart next;
    QCOMPARE(next.offered(), QString());
    QCOMPARE(next.length(), Index{77});
  }

  /// Journal, last session, layout and recent files hold texts and paths of the user.
  void stateFilesAreReadableByTheOwnerOnly() {
    SavedStart start;
    start.setLength(77);
    start.settle();
    const auto rights = [](const QString& path) { return std::filesystem::status(path.toStdString()).permissions(); };
    const auto check = [&](const QString& folder) {
      QCOMPARE(rights(folder), std::filesystem::perms::owner_all);
      const auto files = QDir(folder).entryInfoList(QDir::Files | QDir::Hidden);
      QVERIFY(!files.isEmpty());
      for (const auto& file : files)
        QVERIFY2(rights(file.filePath()) == (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write),
                 qPrintable(file.filePath()));
    };
    check(stateFolder());
    QVERIFY(start.window.close());
    check(QFileInfo(savedSessionPath()).path());
  }

  void crashedSessionIsRestored() {
    {
      SavedStart start;
      start.setLength(76);
      start.setLength(77);
      start.settle();
    }
    {
      SavedStart next;
      QCOMPARE(next.length(), Index{512});
      QVERIFY2(next.offered().startsWith("The last session ended unexpectedly ("), qPrintable(next.offered()));
      QVERIFY2(next.offered().endsWith("in Positions, not saved to a file)."), qPrintable(next.offered()));
      next.answer("restore");
      QCOMPARE(next.length(), Index{77});
      QVERIFY(next.window.isWindowModified());
      QCOMPARE(next.offered(), QString());
      next.setLength(78);
      next.settle();
    }
    // A restored and continued session has one journal, not two.
    SavedStart last;
    last.answer("restore");
    QCOMPARE(last.length(), Index{78});
    QCOMPARE(last.offered(), QString());
    QVERIFY(last.window.close());
    QCOMPARE(left(), QStringList());
  }

  void restoreIsOfferedUntilDiscarded() {
    {
      SavedStart start;
      start.setLength(77);
      start.settle();
    }
    for (int i = 0; i < 2; ++i) {
      SavedStart next;
      QVERIFY(!next.offered().isEmpty());
      QVERIFY(next.window.close());
    }
    SavedStart next;
    next.answer("discard");
    QCOMPARE(next.offered(), QString());
    QCOMPARE(next.length(), Index{512});
    QVERIFY(next.window.close());
    QCOMPARE(left(), QStringList());
  }

  void hiddenOfferIsAvailableInTheMenu() {
    {
      SavedStart start;
      QVERIFY(!start.restoreOfTheMenu()->isEnabled());
      start.setLength(77);
      start.settle();
    }
    SavedStart next;
    next.answer("later");
    QCOMPARE(next.offered(), QString());
    QVERIFY(next.restoreOfTheMenu()->isEnabled());
    next.restoreOfTheMenu()->trigger();
    QCOMPARE(next.length(), Index{77});
    QVERIFY(!next.restoreOfTheMenu()->isEnabled());
    QVERIFY(next.window.close());
    QCOMPARE(left(), QStringList());
  }

  /// The file's name and the mark of a change come back, after a crash and after an orderly end.
  void restoredSessionKeepsItsFileName() {
    const QString path = m_folder->filePath("work.vqscope");
    QVERIFY(write_session(default_session(), bytesOf(path)));
    {
      SavedStart start(path);
      start.setLength(77);
      QVERIFY(start.window.close());
    }
    {
      SavedStart next;
      QCOMPARE(next.length(), Index{77});
      QCOMPARE(next.window.windowTitle(), QString("work.vqscope[*] – VQScope"));
      QVERIFY(next.window.isWindowModified());
      next.setLength(78);
      next.settle();
    }
    SavedStart last;
    QVERIFY2(last.offered().endsWith("in Positions, unsaved changes to work.vqscope)."), qPrintable(last.offered()));
    last.answer("restore");
    QCOMPARE(last.length(), Index{78});
    QCOMPARE(last.window.windowTitle(), QString("work.vqscope[*] – VQScope"));
    QVERIFY(last.window.isWindowModified());
  }

  /// The session that a start did not survive is not opened by the next one, and not lost.
  void crashAtStartSkipsTheLastSessionOnce() {
    {
      SavedStart start;
      start.setLength(77);
      QVERIFY(start.window.close());
      const auto died = JournalFile::create(stateFolder());
      QVERIFY(died && (*died)->markStart());
    }
    {
      SavedStart next;
      QCOMPARE(next.length(), Index{512});
      QVERIFY2(next.offered().startsWith("VQScope ended while it opened the last session ("),
               qPrintable(next.offered()));
      QVERIFY2(next.offered().contains(stateFolder()), qPrintable(next.offered()));
      next.answer("restore");
      QCOMPARE(next.length(), Index{77});
      QVERIFY(next.window.close());
      QCOMPARE(left(), QStringList());
    }
    SavedStart last;
    QCOMPARE(last.length(), Index{77});
  }

  /// A start that shows what it opened, and then dies, is not the session's fault.
  void crashAfterTheStartKeepsTheLastSession() {
    {
      SavedStart start;
      start.setLength(77);
      QVERIFY(start.window.close());
    }
    {
      SavedStart start;
      QTRY_COMPARE(QDir(stateFolder()).entryList({"*.starting"}), QStringList());
    }
    SavedStart next;
    QCOMPARE(next.length(), Index{77});
    QCOMPARE(next.offered(), QString());
  }

  void aJournalThatCannotBeReadIsKept() {
    QString path;
    {
      const auto died = std::move(*JournalFile::create(stateFolder()));
      path = died->path();
    }
    {
      QFile file(path);
      QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{\"vqscope\": 1, ") > 0);
    }
    SavedStart next;
    QCOMPARE(next.offered(), QString());
    QVERIFY(next.window.close());
    QCOMPARE(left(), QStringList{QFileInfo(path).fileName() + ".damaged"});
  }

  /// The window goes on in the same file.
  void unreadablePartsAreKeptWhenTheRestIsRestored() {
    Session session = default_session();
    set_value(*find_page(session, "buckets"), "q_length", Index{400});
    auto json = QByteArray::fromStdString(documentToJson({session, {}, true, QDateTime::currentDateTime()}));
    json.replace("\"q_length\":400", "\"q_length\":-3");
    QString path;
    {
      const auto died = std::move(*JournalFile::create(stateFolder()));
      path = died->path();
      QFile file(path);
      QVERIFY(file.open(QIODevice::WriteOnly) && file.write(json) == json.size());
    }
    SavedStart next;
    next.answer("restore");
    const QString shownMessage = next.window.findChild<MessageBar*>()->sentence();
    QVERIFY2(shownMessage.contains("q_length is -3") && shownMessage.endsWith(path + ".damaged."),
             qPrintable(shownMessage));
    next.setLength(77);
    next.settle();
    QFile kept(path + ".damaged");
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), json);
  }

  /// Pages are made, and fields filled, without an edit.
  void masksAsTextsOnEveryPage_data() {
    QTest::addColumn<QString>("page");
    for (const char* page : {"masks", "vq", "experiments"})
      if (find_page_info(page)) QTest::newRow(page) << page;
  }

  void masksAsTextsOnEveryPage() {
    QFETCH(QString, page);
    Session session = default_session();
    session.current = page.toStdString();
    const auto before = shown_page(session, session.current);
    auto state = before;
    // The masks' page has a text beside the masks' names, and a place for the value of a name that
    // the text leaves free.
    const bool named = page == "masks";
    const std::string parameter = named ? "mask_text" : "mask";
    for (const auto& method : find_page_info(state.id)->choices())
      if (find_spec(specs_of_page(*find_page_info(state.id), state.values, method), parameter)) state.method = method;
    for (auto* values : {&state.values, &state.other}) {
      if (named) values->set("mask", std::string("custom"));
      values->set(parameter, "causal = kv_idx <= q_idx\nreturn causal & (q_idx - kv_idx < " +
                                 std::string(named ? "w" : "8") + ")");
    }
    complete_page(state, before);
    *find_page(session, state.id) = kept_page(state);
    const auto checked = check_page(state);
    QVERIFY2(checked, checked ? "" : checked.error().message.c_str());
    const QString path = m_folder->filePath("text.vqscope");
    QVERIFY(write_session(session, bytesOf(path)));
    {
      SavedStart start(path);
      QCOMPARE(start.bench().session(), session);
      QVERIFY(!start.bench().undoStack().canUndo() && !start.window.isWindowModified());
      applyTheme(*qApp, Theme::dark);
      applyTheme(*qApp, Theme::light);
      for (const auto& info : page_infos()) start.bench().showPage(info.id);
      start.bench().showPage(session.current);
      QVERIFY(!start.bench().undoStack().canUndo());
      QVERIFY(start.window.close());
    }
    SavedStart again;
    QCOMPARE(again.bench().page(state.id).values, state.values);
  }
};

VQSCOPE_TEST(SessionKeeperTest)
#include "session_keeper_test.moc"
