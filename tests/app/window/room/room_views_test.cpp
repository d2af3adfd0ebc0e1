// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/room_views.h"

#include "tests/support/test_main.h"
#include "widgets/panel/view_list.h"

#include <QTabBar>
#include <QTest>

using namespace vqscope;

namespace {

/// The lists and tabs of the rooms without the pages: what they ask for is done as the window does it.
struct ShownViews {
  QWidget window;
  Workbench bench;
  RoomViews rooms{bench, new QWidget(&window), &window};
  ViewList* list = nullptr;

  explicit ShownViews(const char* page) {
    QObject::connect(&bench, &Workbench::changed, &rooms, [this] { sync(); });
    QObject::connect(&rooms, &RoomViews::viewAsked, &rooms, [this](const ListedView& view) {
      refused = !bench.choose("Show", workspace_of(*view.method)->id, *view.method, view.values);
      sync();
    });
    bench.showWorkspace(page);
    for (auto* each : rooms.side()->findChildren<ViewList*>())
      if (!each->isHidden()) list = each;
  }
  void sync() { rooms.sync(bench.current().values); }

  QTabBar& tabs() { return *static_cast<QTabBar*>(rooms.tabs()); }
  void choose(const ListedSubject& subject) {
    auto* lines = list->findChild<QListWidget*>();
    for (int row = 0; row < lines->count(); ++row)
      if (lines->item(row)->text() == subject.title) emit lines->itemClicked(lines->item(row));
  }
  /// What the tabs say of the line that is marked; empty: they agree.
  QString wrong() {
    const ListedSubject* shown = list->shown();
    if (!shown) return tabs().count() == 0 ? QString() : QStringLiteral("tabs of no line");
    QStringList titles, views;
    for (int i = 0; i < tabs().count(); ++i) titles << tabs().tabText(i);
    for (const auto& view : shown->views) views << view.title;
    if (titles != views) return titles.join("|") + " instead of " + views.join("|");
    if (list->shownView() != tabs().currentIndex()) return QStringLiteral("another tab");
    const auto& view = shown->views[static_cast<std::size_t>(list->shownView())];
    return view.method->id == bench.current().method ? QString() : QStringLiteral("the page shows another method");
  }
  bool refused = false;
};

}  // namespace

class RoomViewsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The row is asked for on every view of every other row; the tabs are those of the row that is marked then.
  void everyRowAfterEveryView_data() {
    QTest::addColumn<QString>("page");
    for (const char* page : {"rotary", "survey", "vq"}) QTest::newRow(page) << page;
  }
  void everyRowAfterEveryView() {
    QFETCH(QString, page);
    ShownViews s(qPrintable(page));
    QVERIFY(s.list);
    int walked = 0;
    for (const ListedSubject& from : s.list->subjects())
      for (int tab = 0; tab < static_cast<int>(from.views.size()); ++tab)
        for (const ListedSubject& to : s.list->subjects()) {
          const auto at = [&](const char* step) {
            return QStringLiteral("%1, tab %2, then %3: %4: ").arg(from.title).arg(tab).arg(to.title, step);
          };
          s.choose(from);
          QVERIFY2(s.wrong().isEmpty(), qPrintable(at("first row") + s.wrong()));
          if (s.refused) continue;
          QVERIFY2(s.list->shown()->id == from.id, qPrintable(at("first row") + s.list->shown()->id));
          s.tabs().setCurrentIndex(tab);
          QVERIFY2(s.wrong().isEmpty(), qPrintable(at("tab") + s.wrong()));
          if (!s.refused) QVERIFY2(s.list->shown()->id == from.id, qPrintable(at("tab") + s.list->shown()->id));
          s.choose(to);
          QVERIFY2(s.wrong().isEmpty(), qPrintable(at("next row") + s.wrong()));
          if (!s.refused) QVERIFY2(s.list->shown()->id == to.id, qPrintable(at("next row") + s.list->shown()->id));
          ++walked;
        }
    QVERIFY(walked > 0);
  }

  /// A row that sets nothing has the same page as the others; without a plan of its own the first row would be marked.
  void aViewOfSeveralRowsStaysWithItsRow() {
    ShownViews s("rotary");
    const auto row = [&](const char* id) {
      return *std::ranges::find(s.list->subjects(), QString::fromLatin1(id), &ListedSubject::id);
    };
    const auto tab = [&](const char* title) {
      for (int i = 0; i < s.tabs().count(); ++i)
        if (s.tabs().tabText(i) == QLatin1String(title)) return s.tabs().setCurrentIndex(i);
      QFAIL(title);
    };
    s.choose(row("nope"));
    tab("Entropy by length");
    QCOMPARE(s.list->shown()->id, QString("nope"));
    QCOMPARE(s.bench.current().method, std::string("entropy_growth"));
    s.choose(row("rope_phase"));
    tab("Scores of own q and k");
    s.choose(row("rope_with_bias"));
    QCOMPARE(s.list->shown()->id, QString("rope_with_bias"));
    s.choose(row("sinusoidal"));
    tab("Published perplexity");
    s.choose(row("t5_bias"));
    QCOMPARE(s.list->shown()->id, QString("t5_bias"));
    QCOMPARE(s.tabs().tabText(0), QString("Bias"));
  }
};

VQSCOPE_TEST(RoomViewsTest)
#include "room_views_test.moc"
