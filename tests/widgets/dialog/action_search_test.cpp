// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialog/action_search.h"

#include "tests/support/test_main.h"
#include "widgets/dialog/search_popup.h"

#include <QLabel>
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
    search->setEntries(entries());
    window.show();
    [[maybe_unused]] const bool exposed = QTest::qWaitForWindowExposed(&window);
    search->setFocus(Qt::ShortcutFocusReason);
  }
  SearchEntry entry(const QString& title) {
    return {.title = title, .detail = "kind", .run = [this, title] { ran = title; }};
  }
  std::vector<SearchEntry> entries() {
    std::vector<SearchEntry> all;
    for (const char* title : {"Save", "Save as", "Zoom in", "rope_type = yarn", "YaRN minus NTK"})
      all.push_back(entry(title));
    all.push_back({.title = "Theme: Dark", .run = [this] { ran = "dark"; }, .keywords = "night"});
    return all;
  }
  QStringList rows() const {
    QStringList titles;
    for (int i = 0; i < search->popup()->count(); ++i) titles << row(i);
    return titles;
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
    QCOMPARE(s.search->popup()->count(), 0);  // no entry has a section
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

  /// In a low window the list has fewer rows, and its remark stays below them.
  void theRemarkStaysBelowTheList() {
    Shown s;
    std::vector<SearchEntry> entries;
    for (int i = 0; i < 8; ++i) {
      entries.push_back(s.entry(QString("Entry %1").arg(i)));
      entries.back().section = "Here";
    }
    s.search->setEntries(entries);
    for (const int height : {120, 190, 400}) {
      s.window.resize(700, height);
      QTest::keyClicks(s.search, "a");
      QTest::keyClick(s.search, Qt::Key_Backspace);
      const auto* list = s.search->popup()->findChild<QListWidget*>();
      const auto* remark = s.search->popup()->findChild<QLabel*>();
      QVERIFY(list->isVisible() && remark->isVisible());
      QCoreApplication::processEvents();
      QVERIFY2(list->geometry().bottom() <= remark->geometry().top(), qPrintable(QString::number(height)));
      QVERIFY(s.search->popup()->rect().contains(remark->geometry()));
    }
  }

  /// Entries are made at the beginning of a search, once per search.
  void entriesAreMadeLate() {
    QWidget window;
    auto* search = new ActionSearch(&window);
    int made = 0;
    search->setSource([&made] {
      ++made;
      return std::vector<SearchEntry>{{.title = "Late", .run = [] {}}};
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
    s.search->setEntries({{.title = "Again", .run = [&s] { s.search->setEntries({}), s.ran = "again"; }}});
    QTest::keyClicks(s.search, "again");
    QTest::keyClick(s.search, Qt::Key_Return);
    QCOMPARE(s.ran, QString("again"));
  }

  /// Before anything is typed: what was chosen last, then sections, nothing twice.
  void sectionsBeforeTyping() {
    Shown s;
    auto entries = s.entries();
    entries[0].section = entries[1].section = "Everywhere";
    entries[2].section = "In Masks";
    entries[3].section = "In Masks";
    entries[3].enabled = false;
    s.search->setEntries(entries);
    QTest::keyClicks(s.search, "save as");
    QTest::keyClick(s.search, Qt::Key_Return);
    s.search->setFocus(Qt::ShortcutFocusReason);
    QCOMPARE(s.rows(), QStringList({"Recent", "Save as", "Everywhere", "Save", "In Masks", "Zoom in"}));
    QCOMPARE(s.search->popup()->current(), 1);
    QTest::keyClick(s.search, Qt::Key_Down);
    QCOMPARE(s.search->popup()->current(), 3);  // over the heading
    QTest::keyClick(s.search, Qt::Key_Up);
    QTest::keyClick(s.search, Qt::Key_Up);
    QCOMPARE(s.search->popup()->current(), 1);
    QTest::keyClick(s.search, Qt::Key_Down);
    QTest::keyClick(s.search, Qt::Key_Return);
    QCOMPARE(s.ran, QString("Save"));
  }

  /// What is made of the text comes first; a refused value stays in view and is not run.
  void typedEntriesComeFirst() {
    Shown s;
    s.search->setTyped([&s](const QString& typed) {
      SearchEntry made = s.entry("Set " + typed);
      made.id = "typed:" + typed;
      made.refused = typed.endsWith('!');
      return typed.startsWith("zoom ") ? std::vector{made} : std::vector<SearchEntry>();
    });
    QTest::keyClicks(s.search, "zoom in");
    QCOMPARE(s.rows(), QStringList({"Set zoom in", "Zoom in"}));
    QTest::keyClick(s.search, Qt::Key_Return);
    QCOMPARE(s.ran, QString("Set zoom in"));
    s.search->setFocus(Qt::ShortcutFocusReason);
    QCOMPARE(s.rows(), QStringList({"Recent", "Set zoom in"}));
    s.ran.clear();
    QTest::keyClicks(s.search, "zoom 1!");
    QTest::keyClick(s.search, Qt::Key_Return);
    QCOMPARE(s.ran, QString());
    QVERIFY(s.search->popup()->isVisible());
  }

  void disabledEntriesAreNotRun() {
    Shown s;
    auto entries = s.entries();
    entries[2].enabled = false;
    s.search->setEntries(entries);
    QTest::keyClicks(s.search, "zoom");
    QTest::keyClick(s.search, Qt::Key_Return);
    QCOMPARE(s.ran, QString());
  }
};

VQSCOPE_TEST(ActionSearchTest)
#include "action_search_test.moc"
