// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/room_views.h"

#include "tests/support/test_main.h"
#include "widgets/panel/view_list.h"
#include "widgets/panel/view_list_delegate.h"

#include <QLineEdit>
#include <QSplitter>
#include <QTabBar>
#include <QTest>

#include <algorithm>

using namespace vqscope;

namespace {

void addRooms() {
  QTest::addColumn<QString>("room");
  for (const RoomInfo& room : room_infos())
    if (!roomSubjects(room.id).empty()) QTest::newRow(room.id.c_str()) << QString::fromStdString(room.id);
}

void clickRow(const ViewList& list, const ListedSubject& subject) {
  auto* lines = list.findChild<QListWidget*>();
  for (int row = 0; row < lines->count(); ++row)
    if (lines->item(row)->data(ViewListDelegate::idRole).toString() == subject.id)
      return emit lines->itemClicked(lines->item(row));
}

/// The lists and tabs of the rooms without the pages: their requests are handled as in the window.
struct ShownViews {
  QWidget window;
  Workbench bench;
  RoomViews rooms{bench, new QWidget(&window), &window};
  ViewList* list = nullptr;

  explicit ShownViews(const char* page) {
    QObject::connect(&bench, &Workbench::changed, &rooms, [this] { sync(); });
    QObject::connect(&rooms, &RoomViews::viewRequested, &rooms, [this](const ListedView& view) {
      refused = !bench.choose("Show", page_of(*view.method)->id, *view.method, view.values);
      sync();
    });
    bench.showPage(page);
    for (auto* each : rooms.side()->findChildren<ViewList*>())
      if (!each->isHidden()) list = each;
  }
  void sync() { rooms.sync(bench.current().values); }

  QTabBar& tabs() { return *static_cast<QTabBar*>(rooms.tabs()); }
  /// How the tabs differ from the marked line; empty: they agree.
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
  /// The form has the height that the lines do not need.
  void aFilteredListIsNoHigherThanItsLines() {
    ShownViews s("biases");
    auto* side = static_cast<QSplitter*>(s.rooms.side());
    side->resize(300, 800);
    s.window.show();
    QTRY_VERIFY(side->sizes()[0] > 250);
    s.list->findChild<QLineEdit*>()->setText("ALiBi");
    QTRY_VERIFY2(side->sizes()[0] < 250, qPrintable(QString::number(side->sizes()[0])));
    s.list->findChild<QLineEdit*>()->clear();
    QTRY_VERIFY(side->sizes()[0] > 250);
  }

  /// Every row after every view of every row, on a page that accepts every request.
  void everyRowAfterEveryView_data() { addRooms(); }
  void everyRowAfterEveryView() {
    QFETCH(QString, room);
    ViewList list("Find");
    list.setSubjects(roomSubjects(room.toStdString()));
    const Method* method = nullptr;
    ParameterValues values;
    QObject::connect(&list, &ViewList::viewRequested, &list, [&](const ListedView& view) {
      method = view.method;
      for (const auto& [name, value] : view.values.map()) values.set(name, value);
      list.setShown(method, values);
    });
    const auto shows = [&](const ListedSubject& subject) {
      return list.shown() == &subject && list.shownView() >= 0 &&
             subject.views[static_cast<std::size_t>(list.shownView())].method == method;
    };
    for (const ListedSubject& from : list.subjects())
      for (int tab = 0; tab < static_cast<int>(from.views.size()); ++tab)
        for (const ListedSubject& to : list.subjects()) {
          clickRow(list, from);
          const bool row = shows(from);
          list.requestView(tab);
          const bool view = shows(from) && list.shownView() == tab;
          clickRow(list, to);
          QVERIFY2(row && view && shows(to), qPrintable(QStringLiteral("%1, view %2, then %3: %4 %5")
                                                            .arg(from.title)
                                                            .arg(tab)
                                                            .arg(to.title)
                                                            .arg(row)
                                                            .arg(view)));
        }
  }

  /// Every view of every row and the row after it, on the pages of the program: the tabs are those
  /// of the marked row.
  void tabsBelongToTheMarkedRow_data() { addRooms(); }
  void tabsBelongToTheMarkedRow() {
    QFETCH(QString, room);
    ShownViews s(room == "positions" ? "survey" : "vq");
    QVERIFY(s.list);
    const auto& subjects = s.list->subjects();
    int accepted = 0;
    for (std::size_t row = 0; row < subjects.size(); ++row)
      for (int tab = 0; tab < static_cast<int>(subjects[row].views.size()); ++tab) {
        const ListedSubject &from = subjects[row], &to = subjects[(row + 1) % subjects.size()];
        const auto follows = [&](const ListedSubject& expected) {
          accepted += s.refused ? 0 : 1;
          return s.wrong().isEmpty() && (s.refused || s.list->shown() == &expected);
        };
        clickRow(*s.list, from);
        const bool first = follows(from);
        s.tabs().setCurrentIndex(tab);
        const bool view = follows(from);
        clickRow(*s.list, to);
        QVERIFY2(first && view && follows(to), qPrintable(QStringLiteral("%1, tab %2, then %3: %4 %5 %6")
                                                              .arg(from.title)
                                                              .arg(tab)
                                                              .arg(to.title)
                                                              .arg(first)
                                                              .arg(view)
                                                              .arg(s.wrong())));
      }
    QVERIFY(accepted > static_cast<int>(subjects.size()));
  }

  /// A row that sets nothing has the same page as the others; without a plan of its own the first
  /// row would be marked.
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
    clickRow(*s.list, row("nope"));
    tab("Entropy by length");
    QCOMPARE(s.list->shown()->id, QString("nope"));
    QCOMPARE(s.bench.current().method, std::string("entropy_growth"));
    clickRow(*s.list, row("rope_phase"));
    tab("Scores of own q and k");
    clickRow(*s.list, row("rope_with_bias"));
    QCOMPARE(s.list->shown()->id, QString("rope_with_bias"));
    clickRow(*s.list, row("sinusoidal"));
    tab("Published perplexity");
    clickRow(*s.list, row("t5_bias"));
    QCOMPARE(s.list->shown()->id, QString("t5_bias"));
    QCOMPARE(s.tabs().tabText(0), QString("Bias"));
  }
};

VQSCOPE_TEST(RoomViewsTest)
#include "room_views_test.moc"
