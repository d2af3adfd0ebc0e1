// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session_keeper.h"
#include "core/session/session_json.h"
#include "tests/app/window/saved_start.h"
#include "tests/support/test_main.h"
#include "widgets/parts/text.h"

#include <QApplication>

using namespace vqscope;
using namespace vqscope::test;

/// Sessions of windows that are open at once, or one after the other.
class SeveralWindowsTest : public SavedStartCase {
  Q_OBJECT

 private slots:
  void initTestCase() { QApplication::setQuitOnLastWindowClosed(false); }

  /// A file on the command line stands in for the last session; what that had unsaved is offered.
  void openingAnotherFileSetsUnsavedWorkAside() {
    const QString path = m_folder->filePath("other.vqscope");
    QVERIFY(write_session(default_session(), bytesOf(path)));
    {
      SavedStart start;
      start.setLength(77);
      QVERIFY(start.window.close());
    }
    SavedStart next(path);
    QCOMPARE(next.length(), Index{512});
    QVERIFY2(next.offered().startsWith("The last session was set aside"), qPrintable(next.offered()));
    next.answer("restore");
    QCOMPARE(next.length(), Index{77});
    QVERIFY(next.window.close());
    QCOMPARE(left(), QStringList());
  }

  void twoWindowsAtOnce() {
    SavedStart first;
    first.setLength(11);
    first.settle();
    {
      SavedStart second;
      QCOMPARE(second.offered(), QString());
      second.setLength(22);
      QVERIFY(second.window.close());
    }
    QVERIFY(first.window.close());
    // The second ended first; its work is not lost to the first's.
    SavedStart next;
    QCOMPARE(next.length(), Index{11});
    QVERIFY2(!next.offered().isEmpty(), "the other window's work is lost");
    next.answer("restore");
    QCOMPARE(next.length(), Index{22});
  }

  /// The window that ends last need not be the one with the work.
  void untouchedWindowKeepsTheWorkOfAnother() {
    {
      SavedStart first;
      first.setLength(11);
      first.settle();
      SavedStart second;
      QVERIFY(first.window.close());
      QVERIFY(second.window.close());
    }
    {
      SavedStart next;
      QCOMPARE(next.length(), Index{512});
      QVERIFY2(next.offered().startsWith("The session of another window was kept when that window was closed ("),
               qPrintable(next.offered()));
      QVERIFY(next.window.close());
    }
    SavedStart last;
    QVERIFY2(last.offered().startsWith("The session of another window"), "the reason is forgotten with the start");
    last.answer("restore");
    QCOMPARE(last.length(), Index{11});
    QVERIFY(last.window.close());
    QCOMPARE(left(), QStringList());
  }

  /// No session is kept twice, and none of an unchanged window.
  void unchangedWindowsLeaveNoJournal() {
    {
      SavedStart start;
      start.setLength(77);
      QVERIFY(start.window.close());
    }
    for (const bool edits : {false, true}) {
      SavedStart first, second;
      if (edits) second.setLength(78);
      QVERIFY(first.window.close());
      QVERIFY(second.window.close());
      if (!edits) QCOMPARE(left(), QStringList());
    }
    SavedStart next;
    QCOMPARE(next.length(), Index{78});
  }

  void sessionSetAsideIsOfferedAtTheNextStart() {
    const QString path = m_folder->filePath("other.vqscope");
    QVERIFY(write_session(default_session(), bytesOf(path)));
    {
      SavedStart start;
      start.setLength(77);
      QVERIFY(start.window.close());
    }
    {
      SavedStart next(path);
      QVERIFY(next.window.close());
    }
    SavedStart last;
    QVERIFY2(last.offered().startsWith("The last session was set aside"), qPrintable(last.offered()));
  }
};

VQSCOPE_TEST(SeveralWindowsTest)
#include "several_windows_test.moc"
