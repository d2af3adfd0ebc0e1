// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/difference_field.h"

#include "core/field/step_field.h"
#include "tests/support/compare.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <numbers>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Part = std::shared_ptr<const Field>;

Part step_field(Extent extent, Index border, std::int32_t value) {
  return std::make_shared<StepField>(extent, 0, StepFunction{{0, border}, {2, value}});
}

/// 7 everywhere; its difference from any other field is 42, which the cells would not give.
class ClosedField : public Field {
 public:
  explicit ClosedField(Extent extent, int value = 7) : m_extent(extent), m_value(value) {}
  Extent extent() const override { return m_extent; }
  CellType cell_type() const override { return CellType::int32; }
  double at(Index, Index) const override { return m_value; }
  std::pair<double, double> value_range() const override { return {m_value, m_value}; }
  Part minus(const Field& other, DifferenceKind kind) const override {
    return kind == DifferenceKind::plain ? std::make_shared<ClosedField>(other.extent(), 42) : nullptr;
  }

 private:
  Extent m_extent;
  int m_value;
};

}  // namespace

class DifferenceFieldTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    const auto field = make_difference(step_field({3, 4}, 1, 5), step_field({3, 4}, 2, 5)).value();
    // Only the first diagonal above the main one differs: 5 - 2.
    std::vector<std::int32_t> cells(12);
    field->read({{0, 3}, {0, 4}}, std::span(cells));
    QCOMPARE(cells, (std::vector<std::int32_t>{0, 3, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3}));
    QCOMPARE(field->value_range(), (std::pair{-3.0, 3.0}));
    QCOMPARE(field->cell_type(), CellType::float32);
  }

  void angles_take_the_short_way() {
    QCOMPARE(angular_difference(0.1, 6.2), 0.1 - 6.2 + 2 * std::numbers::pi);
    QCOMPARE(angular_difference(std::numbers::pi, 0), std::numbers::pi);
    QCOMPARE(angular_difference(0, std::numbers::pi), std::numbers::pi);
    QCOMPARE(angular_difference(1, 1), 0.0);
  }

  void a_closed_form_is_taken_where_the_field_has_one() {
    const Part closed = std::make_shared<ClosedField>(Extent{3, 4});
    const Part steps = step_field({3, 4}, 1, 5);
    QCOMPARE((*make_difference(closed, steps))->at(0, 0), 42.0);
    QCOMPARE((*make_difference(closed, closed, DifferenceKind::angular))->at(0, 0), 0.0);
    QCOMPARE((*make_difference(steps, closed))->at(0, 0), -5.0);  // 2 - 7: below the border the steps are 2
  }

  void extents_must_be_equal() {
    COMPARE_ERROR(make_difference(step_field({3, 4}, 1, 5), step_field({4, 3}, 1, 5)),
                  "cannot subtract a matrix of 4 × 3 from one of 3 × 4, rows and columns must be equal");
  }

  void plain_summaries_agree_with_all_cells() {
    Random random(1);
    for (int i = 0; i < 300; ++i) {
      const Extent extent{pick(random, 1, 40), pick(random, 1, 40)};
      const auto field =
          make_difference(step_field(extent, pick(random, -30, 30), 8), step_field(extent, pick(random, -30, 30), 4))
              .value();
      const TileGrid grid = random_tile_grid(random, extent);
      Summary summary;
      QVERIFY(field->summarize(grid, {}, summary));
      QVERIFY(summary.exact);
      for (Index t = 0; t < grid.rows() * grid.cols(); ++t) {
        const Rect tile = grid.tile(t / grid.cols(), t % grid.cols());
        std::vector<double> cells(static_cast<std::size_t>(tile.area()));
        field->read(tile, std::span(cells));
        const auto [low, high] = std::ranges::minmax(cells);
        double sum = 0;
        for (const double cell : cells) sum += cell;
        const auto at = static_cast<std::size_t>(t);
        QCOMPARE(summary.min[at], static_cast<float>(low));
        QCOMPARE(summary.max[at], static_cast<float>(high));
        QVERIFY(std::abs(static_cast<double>(summary.mean[at]) - sum / static_cast<double>(cells.size())) < 1e-6);
      }
    }
  }

  void mean_stays_exact_where_extremes_are_sampled() {
    const Index T = 1 << 20;
    const auto field = make_difference(step_field({T, T}, 0, 3), step_field({T, T}, T / 2, 3)).value();
    Summary summary;
    const TileGrid grid{{0, T}, {0, T}};
    QVERIFY(field->summarize(grid, {.extremes = false, .max_cells = 1000}, summary));
    QVERIFY(summary.exact);
    QVERIFY(summary.mean[0] > 0);
    QVERIFY(field->summarize(grid, {.max_cells = 1000}, summary));
    QVERIFY(!summary.exact);
  }

  void wide_blocks_are_read_in_pieces() {
    const auto field = make_difference(step_field({2, 300000}, 140000, 5), step_field({2, 300000}, 150000, 5)).value();
    COMPARE_TEXT(read_differs(*field, {{0, 2}, {3, 299999}}), "");
    field->read({{0, 2}, {4, 4}}, std::span<float>());
  }
};

VQSCOPE_TEST(DifferenceFieldTest)
#include "difference_field_test.moc"
