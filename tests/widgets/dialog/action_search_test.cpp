// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialog/action_search.h"

#include "tests/support/test_main.h"
#include "widgets/dialog/search_popup.h"

#include <QListWidget>
#include <QTest>

using namespace vqscope;

namespace {

/// A window with the search at its upper right.
struct Shown {
  QWidget window;
  ActionSearch* search = new ActionSearch(&window);
  QString ran;

  Shown() {
    window.resize(900, 600);
    search->setGeometry(640, 8, 240, 26);
    std::vector<SearchEntry> entries;
    for (const char* title : {"Save", "Save as", "Zoom in", "rope_type = yarn", "YaRN minus NTK"})
      entries.push_back({title, "kind", [this, title] { ran = title; }});
    entries.push_back({"Theme: Dark", "", [this] { ran = "dark"; }, "night"});
    search->setEntries(std::move(entries));
    window.show();
    [[maybe_unused]] const bool exposed = QTest::qWaitForWindowExposed(&window);
    search->setFocus(Qt::ShortcutFocusReason);
  }
  QString row(int index) const { return search->popup()->findChild<QListWidget*>()->item(index)->text(); }
};

}  // namespace

class ActionSearchTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void enterRunsTheBest() {
    Shown s;
    QTest::keyClicks(s.search, "save");
    QVERIFY(s.search->popup()->isVisible());
    QCOMPARE(s.search->popup()->count(), 2);
    QCOMPARE(s.row(0), QString("Save"));
    QTest::keyClick(s.search, Qt::Key_Return);
    QCOMPARE(s.ran, QString("Save"));
    QVERIFY(s.search->text().isEmpty() && !s.search->popup()->isVisible());
  }

  void arrowsChoose() {
    Shown s;
    QTest::keyClicks(s.search, "save");
    QTest::keyClick(s.search, Qt::Key_Up);
    QCOMPARE(s.search->popup()->current(), 0);
    for (int i = 0; i < 5; ++i) QTest::keyClick(s.search, Qt::Key_Down);
    QCOMPARE(s.search->popup()->current(), 1);
    QTest::keyClick(s.search, Qt::Key_Enter);
    QCOMPARE(s.ran, QString("Save as"));
  }

  void aClickChooses() {
    Shown s;
    QTest::keyClicks(s.search, "zoom");
    auto* list = s.search->popup()->findChild<QListWidget*>();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(0)).center());
    QCOMPARE(s.ran, QString("Zoom in"));
  }

  void keywordsComeAfterTitles() {
    Shown s;
    QTest::keyClicks(s.search, "night");
    QTest::keyClick(s.search, Qt::Key_Return);
    QCOMPARE(s.ran, QString("dark"));
    QTest::keyClicks(s.search, "yarn");
    QCOMPARE(s.search->popup()->count(), 2);
  }

  void noMatch() {
    Shown s;
    QTest::keyClicks(s.search, "q");
    QTest::keyClick(s.search, Qt::Key_Backspace);
    QVERIFY(s.search->popup()->remark().startsWith("Type an action"));
    QTest::keyClicks(s.search, "qwertyuiop");
    QCOMPARE(s.search->popup()->count(), 0);
    QCOMPARE(s.search->popup()->remark(), QString("Nothing matches qwertyuiop."));
    QTest::keyClick(s.search, Qt::Key_Return);
    QVERIFY(s.ran.isEmpty());
    QTest::keyClick(s.search, Qt::Key_Escape);
    QVERIFY(s.search->text().isEmpty() && !s.search->popup()->isVisible() && !s.search->hasFocus());
  }

  void theListStaysInTheWindow() {
    Shown s;
    for (const int width : {900, 500, 300}) {
      s.window.resize(width, 160);
      s.search->setGeometry(width - 150, 8, 140, 26);
      QTest::keyClicks(s.search, "a");
      QVERIFY(s.window.rect().contains(s.search->popup()->geometry()));
      QVERIFY(s.search->popup()->y() >= s.search->geometry().bottom());
    }
  }

  /// Entries are made at the beginning of a search, once per search.
  void entriesAreMadeLate() {
    QWidget window;
    auto* search = new ActionSearch(&window);
    int made = 0;
    search->setSource([&made] {
      ++made;
      return std::vector<SearchEntry>{{"Late", "", [] {}}};
    });
    QVERIFY(search->entries().empty());
    QTest::keyClicks(search, "la");
    QCOMPARE(search->popup()->count(), 1);
    QTest::keyClicks(search, "t");
    QCOMPARE(made, 1);
    QTest::keyClick(search, Qt::Key_Escape);
    QTest::keyClicks(search, "la");
    QCOMPARE(made, 2);  // another page may be shown by now
  }

  /// An entry may replace the entries while it runs.
  void entriesMayChange() {
    Shown s;
    s.search->setEntries({{"Again", "", [&s] { s.search->setEntries({}), s.ran = "again"; }}});
    QTest::keyClicks(s.search, "again");
    QTest::keyClick(s.search, Qt::Key_Return);
    QCOMPARE(s.ran, QString("again"));
  }
};

VQSCOPE_TEST(ActionSearchTest)
#include "action_search_test.moc"
