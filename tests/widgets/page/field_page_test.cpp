// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/field/field_page.h"

#include "core/lint/lint.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/widgets/page/shown_field.h"
#include "widgets/theme/palette.h"

#include <set>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::set<QRgb> coloursOf(const QImage& image) {
  std::set<QRgb> colours;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) colours.insert(image.pixel(x, y));
  return colours;
}

QString titleOf(const CurveView& view) { return view.findChild<ViewHeader*>()->title(); }

}  // namespace

class FieldPageTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  void oneMapAndItsCurves() {
    ShownField s;
    QCOMPARE(s.maps().size(), std::size_t{1});
    QCOMPARE(s.page.extent(), std::optional(Extent{512, 512}));
    QCOMPARE(s.page.mainMethod()->id, std::string("t5_bucket"));
    QVERIFY(!s.frames.empty() && s.frames.back().exact);
    int curves = 0;
    for (auto* view : s.page.findChildren<CurveView*>()) curves += view->curves().x.empty() ? 0 : 1;
    QVERIFY2(curves >= 3, "staircase, row and column profile");
  }

  /// Labels of -100 and zeros of the loss mask stand beside the mask, and are read with the cell.
  void lossIsShownBesideTheMask() {
    ShownField s("masks");
    QVERIFY(!s.maps()[0]->content().rowMarks);
    s.change([](ShownPage& state) {
      state.values.set("q_length", Index{4});
      state.lint.set("labels", std::vector<Index>{-100, 5, 6, 7});
      state.lint.set("loss_mask", std::vector<Index>{1, 1, 0, 1});
    });
    const auto& marks = s.maps()[0]->content().rowMarks;
    QVERIFY(marks);
    QVERIFY((marks->rows == std::vector<bool>{false, true, false, true}));
    emit s.maps()[0]->cellHovered(Cell{2, 0});
    s.settle();
    QCOMPARE(s.fact("loss"), std::string("no"));
    emit s.maps()[0]->cellHovered(Cell{3, 0});
    s.settle();
    QCOMPARE(s.fact("loss"), std::string("yes"));
    s.change([](ShownPage& state) { state.values.set("q_length", Index{5}); });
    QVERIFY2(!s.maps()[0]->content().rowMarks, "labels of another length belong to no row");
  }

  void anEditChangesThePicture() {
    ShownField s;
    const auto before = s.maps()[0]->picture();
    s.change([](ShownPage& state) { state.values.set("q_length", Index{77}); });
    QVERIFY(s.maps()[0]->picture() != before);
    QCOMPARE(s.page.extent(), std::optional(Extent{77, 77}));
    s.bench.undoStack().undo();
    s.settle();
    QCOMPARE(s.maps()[0]->picture()->image, before->image);
  }

  void refusedEditsKeepThePicture() {
    ShownField s;
    const auto before = s.maps()[0]->picture();
    ShownPage next = s.state();
    next.values.set("num_buckets", Index{31});
    QVERIFY(!s.bench.edit("bad", next));
    s.settle();
    QCOMPARE(s.maps()[0]->picture(), before);
  }

  void bothMapsShareTheirRange() {
    ShownField s;
    s.change([](ShownPage& state) {
      state.compare = CompareMode::side_by_side;
      state.other.set("num_buckets", Index{8});
    });
    const auto maps = s.maps();
    QCOMPARE(maps.size(), std::size_t{2});
    for (MatrixView* from : maps) {
      Plot plot(*from);
      wheel(plot.widget(), plot.rect().center(), 2);
      QVERIFY(from->range());
      QCOMPARE(maps[0]->visibleRange(), maps[1]->visibleRange());
      QCOMPARE(s.state().view, from->range());
    }
    s.settle();
    s.page.fit();
    for (const MatrixView* view : maps) QVERIFY(!view->range());
    QVERIFY(!s.state().view);
    QCOMPARE(s.bench.undoStack().count(), 1);
  }

  void bothMapsShareTheirCursor() {
    ShownField s;
    s.change([](ShownPage& state) { state.compare = CompareMode::side_by_side; });
    const auto maps = s.maps();
    QCOMPARE(maps.size(), std::size_t{2});
    Plot from(*maps[0]);
    Plot other(*maps[1]);
    moveMouse(from.widget(), from.middleOf({100, 300}));
    QCOMPARE(from.cursorLines(), 2);
    QCOMPARE(other.cursorLines(), 2);
    s.settle();
    QVERIFY(s.report);
    moveMouse(from.widget(), QPoint(1, from.widget()->height() - 1));
    QCOMPARE(other.cursorLines(), 0);
    QTest::mouseClick(other.widget(), Qt::LeftButton, {}, other.middleOf({200, 17}));
    QVERIFY(maps[0]->picked());
    QCOMPARE(maps[0]->picked(), maps[1]->picked());
  }

  /// The cell under the mouse is read, and the readout names its map.
  void theMapUnderTheMouseIsRead() {
    ShownField s;
    s.change([](ShownPage& state) {
      state.compare = CompareMode::side_by_side;
      state.values.set("q_length", Index{16});
      state.other.set("q_length", Index{16});
      state.other.set("num_buckets", Index{8});
    });
    for (const char* side : {"A", "B"}) {
      MatrixView& map = *s.page.maps()[side[0] == 'A' ? 0 : 1];
      Plot plot(map);
      moveMouse(plot.widget(), plot.middleOf({13, 2}));
      s.settle();
      QVERIFY(s.report);
      COMPARE_TEXT(s.fact("map"), side);
      QCOMPARE(s.report->why, map.content().field->report(13, 2).why);
      s.settle();
      bool found = false;
      for (const auto* view : s.page.findChildren<CurveView*>())
        found = found || titleOf(*view) == QString("%1 · Row profile").arg(side);
      QVERIFY2(found, side);
    }
    s.page.announce();
    s.settle();
    COMPARE_TEXT(s.fact("map"), "B");
    s.change([](ShownPage& state) { state.compare = CompareMode::none; });
    COMPARE_TEXT(s.fact("map"), "");
  }

  void curvesAreReadAsTheirOwnMethod() {
    ShownField s;
    QVERIFY(s.page.goTo({5, 5}));
    s.settle();
    QCOMPARE(s.method, std::string("t5_bucket"));
    for (auto* view : s.page.findChildren<CurveView*>()) {
      if (!view->isVisible() || titleOf(*view).contains("profile")) continue;
      auto* plot = view->findChild<QCustomPlot*>();
      moveMouse(plot, plot->axisRect()->rect().center());
      QVERIFY(s.report && s.method != "t5_bucket");
      QVERIFY(find_method(s.method)->curves());
      moveMouse(plot, QPoint(1, plot->height() - 1));
      s.settle();
      QCOMPARE(s.method, std::string("t5_bucket"));
      COMPARE_TEXT(s.fact("q"), "5");
    }
  }

  void differenceOfEqualSidesIsZero() {
    for (const char* name : {"buckets", "rotary"}) {
      ShownField s(name);
      s.change([](ShownPage& state) {
        state.compare = CompareMode::difference;
        state.other = state.values;
      });
      QCOMPARE(s.maps().size(), std::size_t{1});
      const MatrixContent& content = s.maps()[0]->content();
      for (const Cell cell : {Cell{0, 0}, Cell{300, 4}, Cell{511, 31}})
        QCOMPARE(content.field->at(cell.row, cell.col), 0.0);
      const auto colours = coloursOf(s.maps()[0]->picture()->image);
      QVERIFY2(colours == std::set<QRgb>{content.scale.colourOf(0)}, name);
    }
  }

  void theDifferenceOfUnlikeSides() {
    ShownField s;
    s.change([](ShownPage& state) {
      state.compare = CompareMode::difference;
      state.other.set("num_buckets", Index{16});
    });
    const Method& method = *find_method("t5_bucket");
    const auto a = make_field(method, carried_values(method, s.state().values)).value();
    const auto b = make_field(method, carried_values(method, s.state().other)).value();
    const auto& shown = *s.maps()[0]->content().field;
    for (Index col = 0; col < 512; col += 37) QCOMPARE(shown.at(200, col), a->at(200, col) - b->at(200, col));
    s.change([](ShownPage& state) { state.compare = CompareMode::none; });
    QCOMPARE(s.maps()[0]->content().field->at(200, 0), a->at(200, 0));
  }

  void goingToACell() {
    ShownField s;
    s.bench.setView("buckets", std::nullopt);
    s.maps()[0]->setRange(ViewRange{0, 20, 0, 20});
    QVERIFY(s.page.goTo({400, 7}));
    QCOMPARE(s.maps()[0]->picked(), std::optional(Cell{400, 7}));
    const ViewRange range = s.maps()[0]->visibleRange();
    QVERIFY(range.row_first <= 400 && range.row_last >= 401 && range.col_first <= 7);
    s.settle();
    QVERIFY(s.report);
  }

  void goToOutsideOfTheMatrixIsAnError_data() {
    QTest::addColumn<Index>("row");
    QTest::addColumn<Index>("col");
    QTest::newRow("row") << Index{512} << Index{0};
    QTest::newRow("column") << Index{0} << Index{600};
    QTest::newRow("negative") << Index{-1} << Index{5};
    QTest::newRow("far") << (Index{1} << 62) << -(Index{1} << 62);
  }

  void goToOutsideOfTheMatrixIsAnError() {
    QFETCH(Index, row);
    QFETCH(Index, col);
    ShownField s;
    COMPARE_ERROR(s.page.goTo({row, col}), "cell (" + std::to_string(row) + ", " + std::to_string(col) +
                                               ") is outside the matrix; rows are 0 to 511 and columns 0 to 511");
    QVERIFY(!s.maps()[0]->picked());
    QVERIFY(!s.maps()[0]->range());
  }

  void theCellUnderTheMouseIsReported() {
    ShownField s;
    s.change([](ShownPage& state) { state.values.set("q_length", Index{16}); });
    Plot plot(*s.maps()[0]);
    moveMouse(plot.widget(), plot.middleOf({9, 3}));
    s.settle();
    const CellReport expected = s.maps()[0]->content().field->report(9, 3);
    QVERIFY(s.report);
    QCOMPARE(s.report->facts, expected.facts);
    QCOMPARE(s.report->why, expected.why);
    QCOMPARE(s.fact(expected.facts[0].first), expected.facts[0].second);
    moveMouse(plot.widget(), QPoint(1, plot.widget()->height() - 1));
    QVERIFY(!s.report);
  }

  /// A cell that was picked in a larger matrix is outside of the smaller one.
  void aSmallerMatrixHasNoReportForALostCell() {
    ShownField s;
    QVERIFY(s.page.goTo({500, 500}));
    s.settle();
    QVERIFY(s.report);
    s.change([](ShownPage& state) { state.values.set("q_length", Index{10}); });
    QVERIFY(!s.report);
  }

  void exportTargetsOfThePage() {
    ShownField s;
    auto targets = s.page.exportTargets();
    QCOMPARE(targets.front().method->id, std::string("t5_bucket"));
    QVERIFY(!targets.front().view);
    s.maps()[0]->setRange(ViewRange{1, 5, 2, 9});
    QCOMPARE(s.page.exportTargets().front().view, std::optional(ViewRange{1, 5, 2, 9}));
    s.change([](ShownPage& state) {
      state.compare = CompareMode::side_by_side;
      state.other.set("num_buckets", Index{16});
    });
    targets = s.page.exportTargets();
    QVERIFY(targets.size() >= 3);
    QCOMPARE(targets[1].values.integer("num_buckets"), Index{16});
  }

  void everyPageOfFieldsWorks() {
    for (const auto& info : page_infos()) {
      if (info.fields.empty()) continue;
      ShownField s(info.id.c_str());
      for (const auto& method : info.fields) {
        s.change([&](ShownPage& state) { state.method = method; });
        QCOMPARE(s.page.mainMethod()->id, method);
        QVERIFY(s.page.goTo({1, 1}));
        s.settle();
        QVERIFY(s.report && !s.report->facts.empty());
        s.page.zoom(0.5);
        s.settle();
        s.page.fit();
        s.settle();
      }
      QVERIFY2(s.problem().isEmpty(), qPrintable(s.problem()));
    }
  }

  void longSequences() {
    ShownField s;
    s.change([](ShownPage& state) { state.values.set("q_length", Index{2097152}); });
    QVERIFY(s.maps()[0]->picture()->exact);
    QVERIFY(s.page.goTo({2097151, 0}));
    s.settle();
  }

  /// Also for blocks, picked cells are those of the mask.
  void blocksKeepTheirMask() {
    ShownField s("masks");
    s.change([](ShownPage& next) {
      next.method = "mask_blocks";
      next.values.set("q_length", Index{300});
      next.values.set("block_size", Index{64});
    });
    QVERIFY(s.page.blocks());
    QVERIFY(s.page.mask()->extent() == (Extent{300, 300}));
    QVERIFY(*s.page.extent() == (Extent{5, 5}));
    const auto given = s.page.lintCase();
    QVERIFY(given->mask == s.page.mask());
    QCOMPARE(given->layout.q_length(), Index{300});
    std::vector<Cell> picked;
    connect(&s.page, &PageWidget::cellPicked, this, [&](Cell cell) { picked.push_back(cell); });
    QVERIFY(s.page.goTo({2, 1}));
    QVERIFY(s.page.goToKey({299, 130}));
    QCOMPARE(picked, (std::vector<Cell>{{128, 64}, {299, 130}}));
    s.settle();
    QCOMPARE(s.fact("queries"), std::string("256 to 299"));
    QCOMPARE(s.fact("keys"), std::string("128 to 191"));
    COMPARE_ERROR(s.page.goToKey({300, 0}),
                  "cell (300, 0) is outside the matrix; rows are 0 to 299 and columns 0 to 299");
  }

  /// The mask that is on screen is the one that is checked; it is not made again.
  void textsAreCheckedAsTheyAreShown() {
    ShownField s("masks");
    for (const char* method : {"visibility", "mask_blocks"}) {
      s.change([&](ShownPage& next) {
        next.method = method;
        next.values.set("mask", std::string("custom"));
        next.values.set("mask_text", std::string("kv_idx <= q_idx + far"));
        next.values.set("text.far", Index{0});
        next.values.set("q_length", Index{40});
      });
      const auto given = s.page.lintCase();
      QVERIFY(given && given->mask == s.page.mask());
      QVERIFY(given->objective_assumed);
      QVERIFY(lint_mask(*given).findings.empty());
    }
  }
};

VQSCOPE_TEST(FieldPageTest)
#include "field_page_test.moc"
