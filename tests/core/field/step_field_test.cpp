// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/step_field.h"

#include "tests/support/compare.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <map>

using namespace vqscope;
using namespace vqscope::test;

namespace {

StepFunction random_steps(Random& random) {
  StepFunction f{{0}, {static_cast<std::int32_t>(pick(random, 0, 40))}};
  Index start = pick(random, -60, 10);
  for (Index steps = pick(random, 0, 14); steps > 0; --steps) {
    f.start.push_back(start);
    f.value.push_back(static_cast<std::int32_t>(pick(random, 0, 40)));
    start += pick(random, 1, pick(random, 1, 20));
  }
  return f;
}

StepField any_steps(Random& random) {
  return {{pick(random, 1, 50), pick(random, 1, 50)}, pick(random, 0, 1) * pick(random, 0, 40), random_steps(random)};
}

}  // namespace

class StepFieldTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    // 5 before -1, 7 at -1 and 0, 2 from 1 on.
    const StepField field({3, 4}, 0, {{0, -1, 1}, {5, 7, 2}});
    std::vector<std::int32_t> cells(12);
    field.read({{0, 3}, {0, 4}}, std::span(cells));
    QCOMPARE(cells, (std::vector<std::int32_t>{7, 2, 2, 2, 7, 7, 2, 2, 5, 7, 7, 2}));
    QCOMPARE(field.value_range(), (std::pair{2.0, 7.0}));
    QCOMPARE(field.relative_position(2, 0), Index{-2});
    Summary summary;
    QVERIFY(field.summarize({{0, 3}, {0, 4}}, {}, summary));
    QCOMPARE(summary.mean[0], 52.0F / 12.0F);
  }

  void past_len_moves_the_query() {
    const StepField field({1, 6}, 4, {{0, 0}, {0, 1}});
    std::vector<std::uint8_t> cells(6);
    field.read({{0, 1}, {0, 6}}, std::span(cells));
    QCOMPARE(cells, (std::vector<std::uint8_t>{0, 0, 0, 0, 1, 1}));
  }

  void read_agrees_with_at() {
    Random random(1);
    for (int i = 0; i < 500; ++i) {
      const auto field = any_steps(random);
      COMPARE_TEXT(read_differs(field, random_tile_grid(random, field.extent()).bounds()), "");
    }
  }

  void empty_block_has_no_cells() {
    const StepField field({3, 3}, 0, {{0}, {1}});
    field.read({{1, 1}, {0, 3}}, std::span<float>());
    field.read({{0, 3}, {2, 2}}, std::span<float>());
  }

  void summaries_agree_with_the_cells() {
    Random random(2);
    for (int i = 0; i < 2000; ++i) {
      const auto field = any_steps(random);
      COMPARE_TEXT(summary_differs(field, random_tile_grid(random, field.extent())), "");
    }
  }

  void value_range_holds_every_cell() {
    Random random(3);
    for (int i = 0; i < 300; ++i) {
      const auto field = any_steps(random);
      std::vector<double> cells(static_cast<std::size_t>(field.extent().rows * field.extent().cols));
      field.read({{0, field.extent().rows}, {0, field.extent().cols}}, std::span(cells));
      const auto [min, max] = std::ranges::minmax(cells);
      QCOMPARE(field.value_range(), (std::pair{min, max}));
    }
  }

  void summary_does_not_depend_on_bands_and_threads() {
    Random random(4);
    const StepField field({700, 500}, 100, random_steps(random));
    const TileGrid grid{even_edges({0, 700}, 350), even_edges({3, 490}, 101)};
    COMPARE_TEXT(summary_differs(field, grid, {.threads = 1}), "");
    COMPARE_TEXT(summary_differs(field, grid, {.threads = 3}), "");
    COMPARE_TEXT(summary_differs(field, grid, {.extremes = false}), "");
    COMPARE_TEXT(summary_differs(field, grid, {.mean = false}), "");
  }

  void labels_are_counted() {
    // 5 before -1, 7 at -1 and 0, 2 from 1 on, as in by_hand().
    const StepField field({3, 4}, 0, {{0, -1, 1}, {5, 7, 2}});
    LabelCounts counts;
    QVERIFY(field.count_labels({{0, 3}, {0, 4}}, counts));
    QCOMPARE(counts, (LabelCounts{{2, 6}, {5, 1}, {7, 5}}));
  }

  void counts_agree_with_the_cells() {
    Random random(9);
    for (int i = 0; i < 1000; ++i) {
      const auto field = any_steps(random);
      const Rect block = random_tile_grid(random, field.extent()).bounds();
      std::map<std::int32_t, std::uint64_t> expected;
      for (Index row = block.rows.begin; row < block.rows.end; ++row)
        for (Index col = block.cols.begin; col < block.cols.end; ++col)
          ++expected[static_cast<std::int32_t>(field.at(row, col))];
      LabelCounts counts;
      QVERIFY(field.count_labels(block, counts));
      QCOMPARE(counts, LabelCounts(expected.begin(), expected.end()));
    }
  }

  void counts_beyond_32_bits() {
    const Index length = Index{1} << 31;
    const StepField field({length, length}, 0, {{0, 1}, {3, 4}});  // 4 above the diagonal
    LabelCounts counts;
    QVERIFY(field.count_labels({{0, length}, {0, length}}, counts));
    const auto n = static_cast<std::uint64_t>(length);
    QCOMPARE(counts, (LabelCounts{{3, n * (n + 1) / 2}, {4, n * (n - 1) / 2}}));
  }

  void sums_beyond_64_bits() {
    const Index length = Index{1} << 31;
    // 1000 below the diagonal, 3000 from it on: half of each but for the diagonal.
    const StepField field({length, length}, 0, {{0, 0}, {1000, 3000}});
    Summary summary;
    QVERIFY(field.summarize({{0, length}, {0, length}}, {}, summary));
    QCOMPARE(summary.mean[0], 2000.0F);
    QCOMPARE(summary.min[0], 1000.0F);
    QCOMPARE(summary.max[0], 3000.0F);
    // A quarter of the matrix in each tile: wholly below, half of each, wholly above.
    const Index half = length / 2;
    QVERIFY(field.summarize({{0, half, length}, {0, half, length}}, {}, summary));
    QCOMPARE(summary.mean, (std::vector<float>{2000, 3000, 1000, 2000}));
  }

  void stops_on_request() {
    std::stop_source source;
    source.request_stop();
    Summary summary;
    const StepField field({3, 3}, 0, {{0}, {1}});
    const auto result = field.summarize({{0, 3}, {0, 3}}, {.stop = source.get_token()}, summary);
    QVERIFY(!result && result.error().code == Errc::cancelled);
  }
};

VQSCOPE_TEST(StepFieldTest)
#include "step_field_test.moc"
