// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/visibility_field.h"

#include "tests/core/mask/mask_cases.h"
#include "tests/core/mask/mask_reading.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A mask that knows its rows alone: every third key within 12 of the query.
class DilatedMask : public Mask {
 public:
  explicit DilatedMask(Extent extent = {40, 48}) : m_extent(extent) {}
  Extent extent() const override { return m_extent; }
  std::vector<std::string> terms() const override { return {"dilated"}; }
  std::optional<std::size_t> failing_term(Index q, Index kv) const override {
    const Index distance = std::abs(q - kv);
    return distance <= 12 && distance % 3 == 0 ? std::nullopt : std::optional<std::size_t>(0);
  }
  std::string why(Index, Index) const override { return "dilated"; }
  void verdicts(Index q, Index kv, std::vector<Verdict>& out) const override {
    out = {visible(q, kv) ? Verdict::yes : Verdict::no};
  }
  std::vector<std::pair<std::string, std::string>> facts(Index, Index) const override { return {}; }
  void row(Index q, std::vector<Range>& out) const override {
    out.clear();
    for (Index kv = std::max<Index>(q - 12, 0); kv < std::min(q + 13, extent().cols); ++kv)
      if (visible(q, kv)) out.push_back({kv, kv + 1});
  }
  std::span<const Band> term_bands(std::size_t, Range rows, std::vector<Band>& scratch) const override {
    return bands(rows, scratch);
  }

 private:
  Extent m_extent;
};

/// The reason by the rule if every cell of the tile is read; cells are few, so fractions compare
/// exactly.
int wanted_reason(const MaskCase& c, const Rect& tile) {
  Index smallest = static_cast<Index>(tile.area()) + 1;
  int reason = 0;
  bool masked = false;
  for (std::size_t term = 0; term < c.terms.size(); ++term) {
    Index passed = 0;
    for (Index q = tile.rows.begin; q < tile.rows.end; ++q)
      for (Index kv = tile.cols.begin; kv < tile.cols.end; ++kv) {
        passed += c.holds(c.terms[term], q, kv);
        masked = masked || !c.visible(q, kv);
      }
    if (passed < smallest) reason = static_cast<int>(term) + 1;
    smallest = std::min(smallest, passed);
  }
  return masked ? reason : 0;
}

VisibilityField largest_causal() {
  const auto layout = *SequenceLayout::make({.q_length = Index{1} << 31});
  return VisibilityField(MaskCase{layout, {"causal"}}.mask());
}

}  // namespace

class VisibilityFieldTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void read_agrees_with_at() {
    Random random(1);
    for (int i = 0; i < 300; ++i) {
      const auto c = random_case(random);
      const VisibilityField field(c.mask());
      const auto wrong = read_differs(field, random_tile_grid(random, field.extent()).bounds());
      QVERIFY2(wrong.empty(), (wrong + " of " + c.name()).c_str());
    }
  }

  void summaries_agree_with_the_cells() {
    Random random(2);
    for (int i = 0; i < 1500; ++i) {
      const auto c = random_case(random);
      const VisibilityField field(c.mask());
      const auto wrong = summary_differs(field, random_tile_grid(random, field.extent()));
      QVERIFY2(wrong.empty(), (wrong + " of " + c.name()).c_str());
    }
  }

  void reasons_follow_the_rule() {
    Random random(3);
    for (int i = 0; i < 600; ++i) {
      const auto c = random_case(random);
      const VisibilityField field(c.mask());
      const auto grid = random_tile_grid(random, field.extent());
      Summary summary;
      QVERIFY(field.summarize(grid, {.extremes = false, .mean = false, .reasons = true}, summary));
      for (Index row = 0; row < grid.rows(); ++row)
        for (Index col = 0; col < grid.cols(); ++col) {
          const int got = summary.reason[static_cast<std::size_t>(row * grid.cols() + col)];
          const int wanted = wanted_reason(c, grid.tile(row, col));
          const auto tile = grid.tile(row, col);
          QVERIFY2(got == wanted, (cell_name(tile.rows.begin, tile.cols.begin) + ": got " + to_text(Index{got}) +
                                   ", expected " + to_text(Index{wanted}) + " of " + c.name())
                                      .c_str());
        }
    }
  }

  void summary_has_only_requested_planes() {
    const auto layout = *SequenceLayout::make({.q_length = 8});
    const VisibilityField field(MaskCase{layout, {"causal"}}.mask());
    const TileGrid grid{{0, 4, 8}, {0, 4, 8}};
    Summary summary;
    QVERIFY(field.summarize(grid, {.extremes = false}, summary));
    QVERIFY(summary.min.empty() && summary.max.empty() && summary.reason.empty());
    QCOMPARE(summary.mean, (std::vector<float>{0.625F, 0, 1, 0.625F}));
    QVERIFY(field.summarize(grid, {.mean = false, .reasons = true}, summary));
    QVERIFY(summary.mean.empty());
    QCOMPARE(summary.min, (std::vector<float>{0, 0, 1, 0}));
    QCOMPARE(summary.max, (std::vector<float>{1, 0, 1, 1}));
    QCOMPARE(summary.reason, (std::vector<std::uint8_t>{1, 1, 0, 1}));
  }

  void masks_without_bands_agree_with_their_cells() {
    Random random(4);
    const VisibilityField field(std::make_shared<DilatedMask>());
    for (int i = 0; i < 100; ++i) {
      const auto wrong = summary_differs(field, random_tile_grid(random, field.extent()), {.reasons = true});
      QVERIFY2(wrong.empty(), wrong.c_str());
    }
    COMPARE_TEXT(read_differs(field, {{0, 40}, {0, 48}}), "");
    QVERIFY(!first_empty_row(*field.mask()));
    QCOMPARE(visible_count(*field.mask(), {0, 1}), std::uint64_t{5});
  }

  void tall_tiles_of_rows_alone_are_counted_in_pieces() {
    const VisibilityField field(std::make_shared<DilatedMask>(Extent{10000, 60}));
    COMPARE_TEXT(summary_differs(field, {{0, 30, 40, 9000, 10000}, {0, 20, 60}}, {.reasons = true}), "");
    const VisibilityField square(std::make_shared<DilatedMask>(Extent{5000, 5000}));
    COMPARE_TEXT(summary_differs(square, {{0, 4500, 5000}, {0, 2500, 5000}}), "");
    QCOMPARE(visible_count(*square.mask(), {100, 4900}), std::uint64_t{4800 * 9});
  }

  void too_many_rows_are_sampled() {
    const Index length = Index{1} << 31;
    const VisibilityField field(std::make_shared<DilatedMask>(Extent{length, length}));
    const TileGrid grid{even_edges({0, length}, 10), even_edges({0, length}, 10)};
    Summary summary;
    QVERIFY(field.summarize(grid, {.reasons = true, .max_cells = 10000}, summary));
    QVERIFY(!summary.exact);
    QCOMPARE(int(summary.reason[9]), 1);
    const auto refused = field.summarize(grid, {.max_cells = 10000, .exact_only = true}, summary);
    QVERIFY(!refused && refused.error().code == Errc::too_large);
    // Few enough rows, too many intervals.
    QVERIFY(field.summarize({{0, 9000}, {0, 9000}}, {.max_cells = 10000}, summary));
    QVERIFY(!summary.exact);
  }

  void one_cell_of_2_to_the_62_is_not_lost() {
    const auto field = largest_causal();
    const Index length = field.extent().rows;
    Summary summary;
    // The first row sees one key, the last key is seen by one row, the last row but one misses one
    // key.
    QVERIFY(field.summarize({{0, 1}, {0, length}}, {}, summary));
    QCOMPARE(summary.mean[0], std::ldexp(1.0F, -31));
    QCOMPARE(summary.max[0], 1.0F);
    QVERIFY(field.summarize({{0, length}, {length - 1, length}}, {}, summary));
    QCOMPARE(summary.mean[0], std::ldexp(1.0F, -31));
    QVERIFY(field.summarize({{length - 2, length}, {0, length}}, {.reasons = true}, summary));
    QVERIFY(summary.mean[0] < 1.0F);
    QCOMPARE(summary.min[0], 0.0F);
    QCOMPARE(int(summary.reason[0]), 1);
    QVERIFY(field.summarize({{0, length}, {0, length}}, {}, summary));
    QCOMPARE(summary.mean[0], 0.5F);
  }

  void tiles_beyond_double_precision_keep_one_masked_cell() {
    const Index length = Index{1} << 31;
    const auto layout = *SequenceLayout::make({.q_length = length, .kv_length = 2 * length, .past_len = length});
    const VisibilityField field(MaskCase{layout, {"causal"}}.mask());
    Summary summary;
    // Row 0 misses one of its last columns, every other row sees all of them.
    QVERIFY(field.summarize({{0, length}, {0, length + 2}}, {.reasons = true}, summary));
    QVERIFY(summary.mean[0] < 1.0F && summary.mean[0] > 0.999F);
    QCOMPARE(int(summary.reason[0]), 1);
    QVERIFY(field.summarize({{0, length}, {0, length + 1}}, {.reasons = true}, summary));
    QCOMPARE(summary.mean[0], 1.0F);
    QCOMPARE(int(summary.reason[0]), 0);
  }

  void summary_does_not_depend_on_threads() {
    const auto layout = *SequenceLayout::make({.q_length = 999, .document_lengths = {300, 1, 400, 298}});
    const VisibilityField field(MaskCase{layout, {"same_document", "causal", "sliding_window"}, 0, 77}.mask());
    const TileGrid grid{even_edges({0, 999}, 333), even_edges({0, 999}, 201)};
    Summary one;
    Summary two;
    QVERIFY(field.summarize(grid, {.reasons = true, .threads = 1}, one));
    QVERIFY(field.summarize(grid, {.reasons = true, .threads = 2}, two));
    QCOMPARE(one.mean, two.mean);
    QCOMPARE(one.min, two.min);
    QCOMPARE(one.max, two.max);
    QCOMPARE(one.reason, two.reason);
  }

  void stops_on_request() {
    std::stop_source source;
    source.request_stop();
    Summary summary;
    const auto field = largest_causal();
    const auto stopped = field.summarize({{0, 100}, {0, 100}}, {.stop = source.get_token()}, summary);
    QVERIFY(!stopped && stopped.error().code == Errc::cancelled);
  }

  void report_lists_facts_and_a_reason() {
    const SequenceInput input{.q_length = 10, .padding_side = PaddingSide::left, .padding = 2};
    const VisibilityField field(MaskCase{*SequenceLayout::make(input), {"key_valid", "causal"}}.mask());
    const auto report = field.report(4, 1);
    using Fact = std::pair<std::string, std::string>;
    const std::vector<Fact> wanted{
        {"q", "4"}, {"k", "1"}, {"q_pos", "2"}, {"kv_pos", "padding"}, {"verdict", "masked by key_valid"}};
    QVERIFY(report.facts == wanted);
    COMPARE_TEXT(report.why, "masked by key_valid: key 1 is padding");
    COMPARE_TEXT(field.report(4, 2).facts.back().second, "visible");
    QCOMPARE(field.reasons(), (std::vector<std::string>{"key_valid", "causal"}));
    QCOMPARE(field.value_range(), (std::pair{0.0, 1.0}));
    QVERIFY(field.cell_type() == CellType::boolean);
  }
};

VQSCOPE_TEST(VisibilityFieldTest)
#include "visibility_field_test.moc"
