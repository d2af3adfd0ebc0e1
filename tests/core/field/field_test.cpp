// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/field.h"

#include "tests/support/compare.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Whole numbers without pattern; with holes, every third of them is NaN.
class ScatteredField : public Field {
 public:
  explicit ScatteredField(Extent extent, bool holes = false) : m_extent(extent), m_holes(holes) {}
  Extent extent() const override { return m_extent; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override {
    if (m_holes && (row + col) % 3 == 0) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>((row * 31 + col * 17) % 23);
  }
  std::pair<double, double> value_range() const override { return {0, 22}; }

 private:
  Extent m_extent;
  bool m_holes;
};

}  // namespace

class FieldTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void read_converts_row_by_row() {
    const ScatteredField field({4, 5});
    std::vector<std::int32_t> cells(6);
    field.read({{1, 3}, {2, 5}}, std::span(cells));
    QCOMPARE(cells, (std::vector<std::int32_t>{65 % 23, 82 % 23, 99 % 23, 96 % 23, 113 % 23, 130 % 23}));
    std::vector<float> floats(1);
    field.read({{3, 4}, {4, 5}}, std::span(floats));
    QCOMPARE(floats[0], 161 % 23);
  }

  void summaries_without_a_closed_form_visit_the_cells() {
    Random random(1);
    const ScatteredField field({37, 53});
    for (int i = 0; i < 100; ++i) COMPARE_TEXT(summary_differs(field, random_tile_grid(random, field.extent())), "");
  }

  void too_many_cells_are_sampled_and_marked() {
    const ScatteredField field({100000, 100000});
    const TileGrid grid{even_edges({0, 100000}, 10), even_edges({0, 100000}, 10)};
    Summary summary;
    QVERIFY(field.summarize(grid, {.max_cells = 10000}, summary));
    QVERIFY(!summary.exact);
    for (const float mean : summary.mean) QVERIFY(mean > 5 && mean < 17);
    QVERIFY(field.summarize({{0, 100}, {0, 100}}, {.max_cells = 10000}, summary));
    QVERIFY(summary.exact);
  }

  void exact_only_is_no_sample() {
    const ScatteredField field({1000, 1000});
    Summary summary;
    const auto refused = field.summarize({{0, 1000}, {0, 1000}}, {.max_cells = 999, .exact_only = true}, summary);
    QVERIFY(!refused && refused.error().code == Errc::too_large);
    COMPARE_TEXT(refused.error().message,
                 "the summary of 1000 × 1000 cells would be a sample, and an exact one was asked for");
    QVERIFY(field.summarize({{0, 30}, {0, 30}}, {.max_cells = 999, .exact_only = true}, summary));
    QVERIFY(summary.exact);
  }

  void nan_cells_are_left_out() {
    const ScatteredField field({6, 6}, true);
    Summary summary;
    QVERIFY(field.summarize({{0, 1, 3}, {0, 1, 3}}, {}, summary));
    QVERIFY(std::isnan(summary.mean[0]) && std::isnan(summary.min[0]) && std::isnan(summary.max[0]));
    QCOMPARE(summary.mean[1], 14.0F);
    QVERIFY(std::isfinite(summary.mean[3]));
  }

  void planes_and_their_shape() {
    const ScatteredField field({8, 8});
    Summary summary;
    QVERIFY(field.summarize({{0, 4, 8}, {0, 2, 4, 8}}, {.mean = false}, summary));
    QCOMPARE(summary.rows, Index{2});
    QCOMPARE(summary.cols, Index{3});
    QCOMPARE(summary.min.size(), std::size_t{6});
    QVERIFY(summary.mean.empty() && summary.coherence.empty() && summary.reason.empty());
  }

  void stops_on_request() {
    std::stop_source source;
    source.request_stop();
    Summary summary;
    const auto result = ScatteredField({8, 8}).summarize({{0, 8}, {0, 8}}, {.stop = source.get_token()}, summary);
    QVERIFY(!result && result.error().code == Errc::cancelled);
  }

  void summary_does_not_depend_on_threads() {
    const ScatteredField field({64, 64});
    const TileGrid grid{even_edges({0, 64}, 9), even_edges({0, 64}, 7)};
    COMPARE_TEXT(summary_differs(field, grid, {.threads = 3}), "");
  }

  void plain_fields_report_their_value() {
    const ScatteredField field({8, 8});
    const auto report = field.report(1, 2);
    const std::vector<std::pair<std::string, std::string>> wanted{{"row", "1"}, {"col", "2"}, {"value", "19"}};
    QVERIFY(report.facts == wanted);
    QVERIFY(report.why.empty() && field.marks().empty() && field.reasons().empty());
    QVERIFY(field.facts({}).empty() && !field.minus(field, DifferenceKind::plain) && !field.mask());
    QVERIFY(std::holds_alternative<std::monostate>(field.form()));
  }
};

VQSCOPE_TEST(FieldTest)
#include "field_test.moc"
