// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/cell_summary.h"

#include "tests/support/compare.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Any function of row and column.
template <class F>
class FunctionField : public Field {
 public:
  FunctionField(Extent extent, F f) : m_extent(extent), m_f(f) {}
  Extent extent() const override { return m_extent; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override { return m_f(row, col); }
  std::pair<double, double> value_range() const override { return {-1, 1}; }
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override {
    return summarize_cells(*this, MeanKind::arithmetic, grid, options, out);
  }

 private:
  Extent m_extent;
  F m_f;
};

constexpr double pi = std::numbers::pi;

}  // namespace

class CellSummaryTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void numbers() {
    Random random(1);
    const FunctionField field({40, 30}, [](Index row, Index col) { return static_cast<double>(row * 7 % 11 + col); });
    for (int i = 0; i < 200; ++i) {
      const auto text = summary_differs(field, random_tile_grid(random, field.extent()), {.threads = 2});
      QVERIFY2(text.empty(), text.c_str());
    }
  }

  /// Fewer expensive cells are sampled, at least one of each tile.
  void expensive_cells_are_sampled_less() {
    struct ExpensiveField : FunctionField<double (*)(Index, Index)> {
      explicit ExpensiveField(double cost_of_a_cell)
          : FunctionField({1 << 20, 1 << 20}, [](Index, Index) { return 0.5; }), cost(cost_of_a_cell) {}
      double at(Index row, Index col) const override { return ++looked, FunctionField::at(row, col); }
      double cell_cost() const override { return cost; }
      double cost;
      mutable std::atomic<Index> looked = 0;
    };
    const TileGrid grid{even_edges({0, 1 << 20}, 10), even_edges({0, 1 << 20}, 20)};
    const std::pair<double, Index> most[]{{1, 40000}, {10, 4000}, {1000, 200}, {1e9, 200}};
    for (const auto& [cost, cells] : most) {
      const ExpensiveField field(cost);
      Summary summary;
      QVERIFY(field.summarize(grid, {.max_cells = 40000, .threads = 3}, summary));
      QVERIFY(!summary.exact && field.looked <= cells && field.looked >= cells / 2);
    }
  }

  void wide_rows_are_read_in_pieces() {
    const FunctionField field({2, 400000}, [](Index row, Index col) { return static_cast<double>(row + col % 7); });
    COMPARE_TEXT(summary_differs(field, {{0, 1, 2}, {5, 6, 131070, 131072, 131080, 300000, 400000}}), "");
    COMPARE_TEXT(summary_differs(field, {{0, 2}, {0, 400000}}), "");
  }

  void cells_that_are_tiles_are_no_sample() {
    const FunctionField field({3, 3}, [](Index row, Index col) { return static_cast<double>(row * 3 + col); });
    COMPARE_TEXT(summary_differs(field, {{0, 1, 2, 3}, {0, 1, 2, 3}}, {.max_cells = 1, .exact_only = true}), "");
  }

  void mean_direction_wraps() {
    const FunctionField field({2, 1}, [](Index row, Index) { return row == 0 ? 0.1 : 2 * pi - 0.3; });
    Summary summary;
    QVERIFY(summarize_cells(field, MeanKind::direction_unsigned, {{0, 2}, {0, 1}}, {}, summary));
    QVERIFY(std::abs(summary.mean[0] - (2 * pi - 0.1)) < 1e-6);
    QVERIFY(std::abs(summary.coherence[0] - std::cos(0.2)) < 1e-6);
    QVERIFY(summarize_cells(field, MeanKind::direction_signed, {{0, 2}, {0, 1}}, {}, summary));
    QVERIFY(std::abs(summary.mean[0] + 0.1) < 1e-6);
  }

  void nan_cells_are_left_out() {
    const FunctionField field(
        {1, 3}, [](Index, Index col) { return col == 1 ? 5.0 : std::numeric_limits<double>::quiet_NaN(); });
    Summary summary;
    QVERIFY(summarize_cells(field, MeanKind::arithmetic, {{0, 1}, {0, 2, 3}}, {}, summary));
    QCOMPARE(summary.mean[0], 5.0F);
    QCOMPARE(summary.max[0], 5.0F);
    QVERIFY(std::isnan(summary.mean[1]) && std::isnan(summary.min[1]));
  }

  void samples_are_marked_and_do_not_alias() {
    // A wave of 64 rows, of which an even grid of 64 would see one phase alone.
    const FunctionField field({4096, 1},
                              [](Index row, Index) { return std::fmod(static_cast<double>(row) * pi / 32, 2 * pi); });
    Summary summary;
    QVERIFY(summarize_cells(field, MeanKind::direction_unsigned, {{0, 4096}, {0, 1}}, {.max_cells = 64}, summary));
    QVERIFY(!summary.exact);
    QVERIFY2(summary.coherence[0] < 0.3F, qPrintable(QString::number(summary.coherence[0])));
  }

  void samples_lie_in_their_tile() {
    const FunctionField field({1 << 20, 1 << 20},
                              [](Index row, Index col) { return static_cast<double>(row / 1000 + col / 1000); });
    Summary summary;
    const TileGrid grid{{0, 1000, 7000, 1 << 20}, {0, 3000, 1 << 20}};
    QVERIFY(summarize_cells(field, MeanKind::arithmetic, grid, {.max_cells = 600}, summary));
    QVERIFY(!summary.exact);
    QVERIFY(summary.max[0] <= 2.0F);
    QVERIFY(summary.min[2] >= 1.0F && summary.max[2] <= 8.0F);
    QVERIFY(summary.min[5] >= 10.0F);
  }

  void stops_within_a_row() {
    std::stop_source source;
    std::atomic<Index> seen = 0;
    const FunctionField field({1, 1 << 22}, [&](Index, Index) {
      if (++seen == 10) source.request_stop();
      return 0.0;
    });
    for (const Index max_cells : {Index{1} << 22, Index{1} << 21}) {
      seen = 0;
      source = {};
      Summary summary;
      QVERIFY(!summarize_cells(field, MeanKind::arithmetic, {{0, 1}, {0, 1 << 22}},
                               {.max_cells = max_cells, .stop = source.get_token()}, summary));
      QVERIFY2(seen <= 1 << 17, qPrintable(QString::number(seen)));
    }
  }

  void stops() {
    std::stop_source source;
    source.request_stop();
    const FunctionField field({9, 9}, [](Index, Index) { return 0.0; });
    Summary summary;
    QVERIFY(!summarize_cells(field, MeanKind::arithmetic, {{0, 9}, {0, 9}}, {.stop = source.get_token()}, summary));
  }
};

VQSCOPE_TEST(CellSummaryTest)
#include "cell_summary_test.moc"
