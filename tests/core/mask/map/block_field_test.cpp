// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/block_field.h"

#include "core/mask/map/visibility_field.h"
#include "tests/core/mask/map/random_view.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/core/mask/row_mask.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Fact = std::pair<std::string, std::string>;

std::shared_ptr<const Mask> text_mask(const std::string& text, Index length) {
  return *LanguageMask::make(MaskProgram::parse(text).program, {}, *SequenceLayout::make({.q_length = length}));
}

}  // namespace

class BlockFieldTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Blocks are distinguished from their mask, whose cells they do not show.
  void field_of_blocks_exposes_its_view() {
    const BlockField field(BlockView(causal_mask(8), {1, 1}));
    QCOMPARE(std::get<const BlockView*>(field.form())->extent(), field.extent());
    QCOMPARE(field.mask()->extent(), field.extent());
    const VisibilityField cells(causal_mask(8));
    QVERIFY(!cells.minus(field, DifferenceKind::plain) && cells.minus(cells, DifferenceKind::plain));
  }

  void cells_by_hand() {
    const BlockField field(BlockView(causal_mask(10), {4, 4}));
    QCOMPARE(field.extent(), (Extent{3, 3}));
    QVERIFY(field.cell_type() == CellType::int32);
    QVERIFY(field.value_range() == std::pair(0.0, 2.0));
    std::vector<std::int32_t> cells(9);
    field.read({{0, 3}, {0, 3}}, std::span(cells));
    QCOMPARE(cells, (std::vector<std::int32_t>{1, 0, 0, 2, 1, 0, 2, 2, 1}));
    std::vector<double> part(2);
    field.read({{1, 2}, {0, 2}}, std::span(part));
    QCOMPARE(part, (std::vector<double>{2, 1}));
    QCOMPARE(field.at(2, 1), 2.0);
    QCOMPARE(field.mask(), &std::get<const BlockView*>(field.form())->mask());
  }

  void facts_count_the_blocks() {
    const BlockField field(BlockView(causal_mask(16), {4, 4}));
    const std::vector<std::pair<std::string, double>> wanted{
        {"full", 6}, {"partial", 4}, {"empty", 6}, {"sparsity", 0.375}};
    QVERIFY(field.facts({}) == wanted);
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(field.facts(stop.get_token()).empty());
  }

  void summaries_agree_with_the_blocks() {
    Random random(2);
    for (int i = 0; i < 600; ++i) {
      const BlockField field(random_view(random, i));
      const auto grid = random_tile_grid(random, field.extent());
      COMPARE_TEXT(read_differs(field, grid.bounds()), "");
      COMPARE_TEXT(summary_differs(field, grid, {.max_cells = 1}), "");
    }
  }

  void a_million_blocks_a_tile() {
    const BlockField field(BlockView(causal_mask(Index{1} << 21), {}));
    Summary summary;
    QVERIFY(field.summarize({{0, 8192, 16384}, {0, 8192, 16384}}, {}, summary));
    QVERIFY(summary.exact);
    QCOMPARE(summary.mean, (std::vector<float>{1, 0, 2, 1}));
    QCOMPARE(summary.min, (std::vector<float>{0, 0, 2, 0}));
    QCOMPARE(summary.max, (std::vector<float>{2, 0, 2, 2}));
  }

  /// Rows of blocks without bands are too many to look at: two by two blocks of each tile are.
  void too_many_blocks_are_sampled() {
    const Index length = Index{1} << 21;
    const BlockField field(BlockView(text_mask("(kv_idx <= q_idx) & ((q_idx ^ kv_idx) % 3 != 0)", length), {128, 128}));
    const TileGrid grid{{0, 4096, 16384}, {0, 4096, 16384}};
    Summary summary;
    QVERIFY(field.summarize(grid, {}, summary));
    QVERIFY(!summary.exact);
    // Above the diagonal all four are empty, below it all are partial.
    QCOMPARE(summary.mean[1], 0.0F);
    QCOMPARE(summary.max[1], 0.0F);
    QCOMPARE(summary.min[2], 1.0F);
    QCOMPARE(summary.mean[2], 1.0F);
    const auto exact = field.summarize(grid, {.exact_only = true}, summary);
    QVERIFY(!exact && exact.error().code == Errc::too_large);
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = field.summarize(grid, {.stop = stop.get_token()}, summary);
    QVERIFY(!stopped && stopped.error().code == Errc::cancelled);
  }

  void a_stop_ends_exact_summaries_too() {
    std::stop_source stop;
    stop.request_stop();
    Summary summary;
    const BlockField field(BlockView(causal_mask(100), {4, 4}));
    const auto stopped = field.summarize({{0, 20}, {0, 20}}, {.stop = stop.get_token()}, summary);
    QVERIFY(!stopped && stopped.error().code == Errc::cancelled);
  }

  void report_names_the_block() {
    const BlockField field(BlockView(causal_mask(10), {4, 4}));
    const auto report = field.report(2, 2);
    QVERIFY((report.facts ==
             std::vector<Fact>{
                 {"queries", "8 to 9"}, {"keys", "8 to 9"}, {"visible", "3 of 4 cells"}, {"block", "partial"}}));
    COMPARE_TEXT(report.why, "partial: the mask is asked cell by cell");
    COMPARE_TEXT(field.report(0, 1).why, "empty: the kernel skips it");
    COMPARE_TEXT(field.report(1, 0).why, "full: no mask is needed");
  }
};

VQSCOPE_TEST(BlockFieldTest)
#include "block_field_test.moc"
