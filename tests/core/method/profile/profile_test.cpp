// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/profile/profile.h"

#include "core/field/step_field.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Whole numbers in steps of the distance, as buckets are: `step` keys each.
StepField buckets(Index length, Index step) {
  StepFunction f;
  for (Index i = 0; i < 32; ++i) {
    f.start.push_back((i - 20) * step);
    f.value.push_back(static_cast<std::int32_t>(i < 20 ? 20 - i : i));
  }
  return {{length, length}, 0, std::move(f)};
}

/// Cell (r, c) holds 100 r + c; the cells of row 1 are not a number.
class Counting : public Field {
 public:
  Extent extent() const override { return {6, 10}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override { return row == 1 ? nan : static_cast<double>(100 * row + col); }
  std::pair<double, double> value_range() const override { return {0, 509}; }
};

}  // namespace

class ProfileTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void cells_of_a_row() {
    const auto set = row_profile(Counting(), 3, {2, 6}, 100);
    QVERIFY(set);
    QCOMPARE(set->x, (std::vector<double>{2, 3, 4, 5}));
    QCOMPARE(set->curves.size(), std::size_t{1});
    COMPARE_TEXT(set->curves[0].name, "value");
    QCOMPARE(set->curves[0].y, (std::vector<double>{302, 303, 304, 305}));
    QVERIFY(set->bands.empty());
    QVERIFY(set->exact);
    QVERIFY2(!set->steps && !set->integer, "float32 values are no steps");
  }

  /// A step of 16 cells in segments of 10: the second one has two labels.
  void labels_are_not_averaged() {
    const StepField field({1, 40}, 0, {{0, 16}, {3, 9}});
    const auto whole = row_profile(field, 0, {14, 18}, 100, {}, true);
    QVERIFY(whole && whole->labels && whole->exact);
    QCOMPARE(whole->curves[0].y, (std::vector<double>{3, 3, 9, 9}));
    const auto set = row_profile(field, 0, {0, 40}, 4, {}, true);
    QVERIFY(set && set->labels && set->exact);
    COMPARE_TEXT(set->curves[0].name, "most frequent label");
    QCOMPARE(set->curves[0].y, (std::vector<double>{3, 3, 9, 9}));
    QCOMPARE(set->curves[1].y, (std::vector<double>{3, 3, 9, 9}));
    QCOMPARE(set->curves[2].y, (std::vector<double>{3, 9, 9, 9}));
  }

  /// One key, at 23, beside those up to 15: each run of cells has its first and its last.
  void booleans_are_runs() {
    class Mask : public Field {
     public:
      Extent extent() const override { return {1, 40}; }
      CellType cell_type() const override { return CellType::boolean; }
      double at(Index, Index col) const override { return col < 16 || col == 23 ? 1 : 0; }
      std::pair<double, double> value_range() const override { return {0, 1}; }
    };
    const auto set = row_profile(Mask(), 0, {0, 40}, 4);
    QVERIFY(set && set->steps && set->exact && set->bands.empty());
    QCOMPARE(set->curves.size(), std::size_t{1});
    QCOMPARE(set->x, (std::vector<double>{0, 15, 16, 22, 23, 24, 39}));
    QCOMPARE(set->curves[0].y, (std::vector<double>{1, 1, 0, 0, 1, 0, 0}));
  }

  /// Every other key of 2^20, in four segments: too many runs, so what most of a segment is.
  void booleans_without_end() {
    class Mask : public Field {
     public:
      Extent extent() const override { return {1, Index{1} << 20}; }
      CellType cell_type() const override { return CellType::boolean; }
      double at(Index, Index col) const override { return col % 2 == 0 || col < 1000 ? 1 : 0; }
      std::pair<double, double> value_range() const override { return {0, 1}; }
    };
    const auto set = row_profile(Mask(), 0, {0, Index{1} << 20}, 4);
    QVERIFY(set && set->curves.size() == 3);
    COMPARE_TEXT(set->curves[0].name, "most cells");
    for (const double each : set->curves[0].y) QVERIFY(each == 0 || each == 1);
  }

  void cells_of_a_column() {
    const auto set = col_profile(Counting(), 7, {2, 6}, 100);
    QVERIFY(set);
    QCOMPARE(set->x, (std::vector<double>{2, 3, 4, 5}));
    QCOMPARE(set->curves[0].y, (std::vector<double>{207, 307, 407, 507}));
    COMPARE_TEXT(set->x_name, "q");
  }

  /// Columns 0 to 9 in four segments: 3, 3, 2 and 2 cells.
  void segments_have_mean_min_and_max() {
    const auto set = row_profile(Counting(), 2, {0, 10}, 4);
    QVERIFY(set);
    QCOMPARE(set->x, (std::vector<double>{1, 4, 6.5, 8.5}));
    QCOMPARE(set->curves.size(), std::size_t{3});
    QCOMPARE(set->curves[0].y, (std::vector<double>{201, 204, 206.5, 208.5}));
    QCOMPARE(set->curves[1].y, (std::vector<double>{200, 203, 206, 208}));
    QCOMPARE(set->curves[2].y, (std::vector<double>{202, 205, 207, 209}));
    QCOMPARE(set->bands, (std::vector<CurveBand>{{0, 1, 2}}));
    COMPARE_TEXT(set->curves[set->bands[0].least].name, "min");
    COMPARE_TEXT(set->curves[set->bands[0].greatest].name, "max");
  }

  void nan_is_a_gap() {
    const auto row = row_profile(Counting(), 1, {0, 10}, 100);
    QVERIFY(row);
    for (const double y : row->curves[0].y) QVERIFY2(std::isnan(y), qPrintable(QString::number(y)));
    const auto col = col_profile(Counting(), 0, {0, 4}, 2);
    QVERIFY(col);
    QCOMPARE(col->curves[0].y, (std::vector<double>{0, 250}));
  }

  void buckets_are_steps_of_whole_numbers() {
    const StepField field = buckets(64, 3);
    const auto set = row_profile(field, 40, {0, 64}, 64);
    QVERIFY(set);
    QVERIFY(set->steps && set->integer && set->exact);
    for (std::size_t i = 0; i < set->x.size(); ++i)
      QCOMPARE(set->curves[0].y[i], field.at(40, static_cast<Index>(set->x[i])));
  }

  /// A long row is summed, never stored: its segments are those of its cells one by one.
  void long_rows_agree_with_their_cells() {
    constexpr Index length = 100'003;
    const StepField field = buckets(length, 2500);
    const auto set = row_profile(field, 60'000, {0, length}, 128);
    QVERIFY(set);
    QCOMPARE(set->x.size(), std::size_t{128});
    std::vector<std::int32_t> cells(static_cast<std::size_t>(length));
    field.read({{60'000, 60'001}, {0, length}}, std::span(cells));
    const auto edges = even_edges({0, length}, 128);
    for (std::size_t i = 0; i < set->x.size(); ++i) {
      const auto begin = cells.begin() + edges[i];
      const auto end = cells.begin() + edges[i + 1];
      QCOMPARE(set->curves[1].y[i], static_cast<double>(*std::min_element(begin, end)));
      QCOMPARE(set->curves[2].y[i], static_cast<double>(*std::max_element(begin, end)));
      const double mean = std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
      QCOMPARE(set->curves[0].y[i], static_cast<double>(static_cast<float>(mean)));
    }
  }

  void stopped_work_is_cancelled() {
    std::stop_source stop;
    stop.request_stop();
    for (const auto& set : {row_profile(Counting(), 0, {0, 10}, 4, stop.get_token()),
                            col_profile(Counting(), 0, {0, 6}, 4, stop.get_token())}) {
      QVERIFY(!set);
      QVERIFY(set.error().code == Errc::cancelled);
    }
  }
};

VQSCOPE_TEST(ProfileTest)
#include "profile_test.moc"
