// SPDX-License-Identifier: GPL-3.0-or-later
// Overview, path and the actions that travel in a map.
#include "tests/support/test_main.h"
#include "tests/widgets/view/view_cases.h"
#include "widgets/theme/palette.h"
#include "widgets/view/map/map_actions.h"
#include "widgets/view/map/map_overview.h"
#include "widgets/view/map/zoom_path.h"
#include "widgets/view/view_header.h"

#include <QAction>
#include <QClipboard>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

using namespace vqscope;
using namespace vqscope::test;

namespace {

struct ShownNavigation {
  MatrixView view;
  MapActions& actions = *new MapActions(view);
  Plot plot{view};
  std::vector<Cell> picked;
  QStringList messages;

  explicit ShownNavigation(const ParameterValues::Map& set, const char* id = "visibility") {
    QObject::connect(&view, &MatrixView::cellPicked, &view, [this](const Cell& cell) { picked.push_back(cell); });
    QObject::connect(&actions, &MapActions::notified, &view, [this](const QString& sentence) { messages << sentence; });
    view.resize(620, 560);
    view.setContent(contentOf(id, set));
    view.show();
    settle();
  }
  void settle() {
    QTRY_VERIFY(view.picture() && !view.isBusy() && !actions.isBusy() && !overview().isBusy() &&
                view.picture()->request.range == view.visibleRange());
  }
  MapOverview& overview() { return *view.findChild<MapOverview*>(); }
  ZoomPath& path() { return *view.findChild<ZoomPath*>(); }
  QStringList steps() {
    QStringList titles;
    for (const auto* step : path().findChildren<QToolButton*>())
      if (!step->isHidden()) titles << step->text();
    return titles;
  }
  QAction* action(const QString& title) {
    for (auto* each : view.actions())
      if (each->text() == title) return each;
    return nullptr;
  }
};

constexpr Index manyTokens = 2097152;

}  // namespace

class NavigationTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  void wholeMatrixHasNoOverviewAndNoPath() {
    ShownNavigation s({{"q_length", Index{512}}});
    QVERIFY(s.overview().isHidden() && s.path().isHidden());
    QVERIFY2(!s.overview().picture(), "nothing is computed for it");
  }

  /// Exact at any length, made once: dragging the map does not make it again.
  void theOverviewIsOneExactPicture() {
    ShownNavigation s({{"q_length", manyTokens}});
    s.view.zoomTo({8192, 16384, 0, 8192});
    s.settle();
    QVERIFY(!s.overview().isHidden() && s.overview().picture());
    QVERIFY(s.overview().picture()->exact);
    QCOMPARE(s.overview().picture()->request.range, (ViewRange{0, manyTokens, 0, manyTokens}));
    const auto before = s.overview().picture();
    s.view.zoomTo({20000, 30000, 0, 10000});
    s.settle();
    QCOMPARE(s.overview().picture(), before);
    // The smallest visible frame, at its place.
    QVERIFY(s.overview().frame().width() >= 5 && s.overview().frame().left() < 6);
  }

  void draggingTheFrameMovesTheMap() {
    ShownNavigation s({{"q_length", Index{10000}}});
    s.view.zoomTo({0, 1000, 0, 1000});
    s.settle();
    const QPoint from = s.overview().frame().center().toPoint();
    drag(&s.overview(), from, from + QPoint(s.overview().width() / 2, s.overview().height() / 2));
    const ViewRange there = s.view.visibleRange();
    QVERIFY2(std::abs(there.row_first - 5000) < 300, qPrintable(QString::number(there.row_first)));
    QVERIFY(std::abs(there.row_last - there.row_first - 1000) < 1e-6);
    s.settle();
  }

  void thePathNamesCells() {
    ShownNavigation s({{"q_length", manyTokens}});
    s.view.zoomTo({8192, 16384, 0, 8192});
    s.settle();
    QVERIFY(!s.path().isHidden());
    QString name = s.path().nameOf(*s.view.range(), {manyTokens, manyTokens});
    name.remove(QChar(0x202f));  // between thousands
    QCOMPARE(name, QString("query 8192–16383, key 0–8191"));
    QCOMPARE(s.steps(), (QStringList{"‹", "All"}));
    // In a narrow map, the title of the axis makes way for it.
    s.view.resize(360, 300);
    s.settle();
    const auto* last = s.path().findChildren<QLabel*>().back();
    QCOMPARE(last->text(), s.path().nameOf(*s.view.range(), {manyTokens, manyTokens}));
  }

  void backAndAll() {
    ShownNavigation s({{"q_length", Index{10000}}});
    s.view.zoomTo({0, 1000, 0, 1000});
    s.view.zoomTo({0, 100, 0, 100});
    s.action("Back to the previous range")->trigger();
    QCOMPARE(s.view.range(), std::optional(ViewRange{0, 1000, 0, 1000}));
    s.path().findChildren<QToolButton*>().back()->click();
    QVERIFY(!s.view.range());
    QVERIFY(s.path().isHidden() && s.overview().isHidden());
    s.settle();
  }

  void zoomsToTheDiagonal() {
    ShownNavigation s({{"q_length", manyTokens}});
    s.view.setPicked(Cell{1'000'000, 3});
    s.action("Zoom to the diagonal")->trigger();
    const ViewRange there = s.view.visibleRange();
    QVERIFY(there.row_first < 1'000'000 && there.row_last > 1'000'001);
    QVERIFY(there.col_first < 1'000'000 && there.col_last > 1'000'001);
    QVERIFY2(there.row_last - there.row_first < 500, "each cell is visible");
    s.settle();
  }

  void zoomsToTheNearestChange() {
    ShownNavigation s({{"q_length", manyTokens}, {"mask", std::string("sliding_window")}});
    s.view.setPicked(Cell{1'000'000, 3});
    s.action("Zoom to what changes")->trigger();
    s.settle();
    QVERIFY(!s.picked.empty());
    const Field& field = *s.view.content().field;
    const Cell there = s.picked.back();
    QCOMPARE(there.row, Index{1'000'000});
    QVERIFY(field.at(there.row, there.col) == 1 && field.at(there.row, there.col - 1) == 0);
    QVERIFY(s.view.visibleRange().col_first < static_cast<double>(there.col));
  }

  void reportsThatNoCellChanges() {
    ShownNavigation s({{"q_length", Index{64}}, {"mask", std::string("bidirectional")}});
    s.action("Zoom to what changes")->trigger();
    s.settle();
    QCOMPARE(s.messages.size(), qsizetype{1});
    QVERIFY(!s.view.range());
  }

  void theMenuHasTheActionsAndTheButtons() {
    ShownNavigation s({{"q_length", Index{64}}});
    s.view.header()->addButton("export", "Export this map");
    const auto titles = [&](const std::optional<Cell>& cell) {
      QMenu* menu = s.actions.makeMenu(cell);
      QStringList all;
      for (const auto* action : menu->actions())
        if (!action->isSeparator() && action->isEnabled()) all << action->text();
      delete menu;
      return all;
    };
    const QStringList all = titles(Cell{3, 2});
    for (const char* title : {"Copy value", "Copy picture", "Go to cell…", "Zoom to the diagonal",
                              "Zoom to what changes", "Highlight", "Export this map"})
      QVERIFY2(all.contains(title), title);
    QVERIFY2(!all.contains("Fit the whole matrix"), "it is whole");
    QVERIFY2(!titles(std::nullopt).contains("Copy value"), "there is no cell");
  }

  void theMenuKeyOpensTheMenu() {
    ShownNavigation s({{"q_length", Index{64}}});
    QContextMenuEvent event(QContextMenuEvent::Keyboard, {20, 20}, s.view.mapToGlobal(QPoint(20, 20)));
    QApplication::sendEvent(&s.view, &event);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu);
    menu->close();
  }

  void aRightClickOpensTheMenu() {
    ShownNavigation s({{"q_length", Index{64}}});
    const QPoint at = s.plot.rect().center();
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, s.plot.widget()->mapToGlobal(at));
    QApplication::sendEvent(s.plot.widget(), &event);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu && menu->actions().front()->isEnabled());
    menu->close();
  }

  void copiesOfACell() {
    ShownNavigation s({{"q_length", Index{64}}}, "t5_bucket");
    s.view.setPicked(Cell{40, 3});
    s.action("Copy value")->trigger();
    s.settle();
    QCOMPARE(QApplication::clipboard()->text(), QString::number(s.view.content().field->at(40, 3)));
    s.action("Copy picture")->trigger();
    QVERIFY(!QApplication::clipboard()->pixmap().isNull());
  }

  /// A cell stays picked while the matrix is smaller, for when it is larger again.
  void pickedCellOutsideOfTheMatrixIsNotRead() {
    ShownNavigation s({{"q_length", Index{64}}}, "t5_bucket");
    s.view.setPicked(Cell{40, 3});
    s.view.setContent(contentOf("t5_bucket", {{"q_length", Index{32}}}));
    s.settle();
    QApplication::clipboard()->setText("before");
    for (const char* title : {"Copy value", "Copy all about this cell"}) s.action(title)->trigger();
    s.settle();
    QCOMPARE(QApplication::clipboard()->text(), "before");
    QVERIFY2(s.messages.size() == 2 && s.messages[0].startsWith("No cell to copy"), qPrintable(s.messages.join(';')));
  }

  /// The cell of a menu is that of its own entries alone.
  void closedMenuForgetsItsCell() {
    ShownNavigation s({{"q_length", Index{64}}}, "t5_bucket");
    delete s.actions.makeMenu(Cell{50, 2});
    s.view.setPicked(Cell{40, 3});
    s.action("Copy value")->trigger();
    s.settle();
    QCOMPARE(QApplication::clipboard()->text(), QString::number(s.view.content().field->at(40, 3)));
    delete s.actions.makeMenu(std::nullopt);
    s.view.setPicked(std::nullopt);
    s.view.setHovered(Cell{20, 1});
    s.action("Copy value")->trigger();
    s.settle();
    QCOMPARE(QApplication::clipboard()->text(), QString::number(s.view.content().field->at(20, 1)));
  }

  /// A click on a term of the legend fades all others; a second click shows them again.
  void theLegendHighlights() {
    ShownNavigation s({{"q_length", Index{64}}});
    const QImage before = s.view.picture()->image;
    QPoint entry;
    for (int y = s.plot.rect().bottom(); y < s.plot.widget()->height() && entry.isNull(); ++y)
      for (int x = 0; x < s.plot.widget()->width() && entry.isNull(); ++x) {
        QTest::mouseClick(s.plot.widget(), Qt::LeftButton, {}, {x, y});
        if (s.view.lit()) entry = {x, y};
        x += 8;
      }
    QVERIFY2(!entry.isNull(), "no entry reacts");
    s.settle();
    QVERIFY(s.view.picture()->image != before);
    QTest::mouseClick(s.plot.widget(), Qt::LeftButton, {}, entry);
    QVERIFY(!s.view.lit());
    s.settle();
    QCOMPARE(s.view.picture()->image, before);
  }
};

VQSCOPE_TEST(NavigationTest)
#include "navigation_test.moc"
