// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/changes.h"

#include "core/field/difference_field.h"
#include "core/field/step_field.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Cells of a list, row-major.
class ListedField : public Field {
 public:
  ListedField(Extent extent, std::vector<double> cells) : m_extent(extent), m_cells(std::move(cells)) {}
  Extent extent() const override { return m_extent; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override {
    return m_cells[static_cast<std::size_t>(row * m_extent.cols + col)];
  }
  std::pair<double, double> value_range() const override { return {-9, 9}; }

 private:
  Extent m_extent;
  std::vector<double> m_cells;
};

/// Mostly 0, some cells 1 or 2, some NaN.
ListedField random_field(Random& random) {
  const Extent extent{pick(random, 1, 150), pick(random, 1, 150)};
  std::vector<double> cells(static_cast<std::size_t>(extent.rows * extent.cols));
  for (Index count = pick(random, 0, 6); count > 0; --count)
    cells[static_cast<std::size_t>(pick(random, 0, extent.rows * extent.cols - 1))] =
        static_cast<double>(pick(random, 1, 2));
  cells[static_cast<std::size_t>(pick(random, 0, extent.rows * extent.cols - 1))] =
      std::numeric_limits<double>::quiet_NaN();
  return {extent, std::move(cells)};
}

bool differs(double a, double b) { return !std::isnan(a) && a != b; }

std::optional<ChangeCell> first_by_definition(const Field& field) {
  for (Index row = 0; row < field.extent().rows; ++row)
    for (Index col = 0; col < field.extent().cols; ++col)
      if (differs(field.at(row, col), 0)) return ChangeCell{row, col};
  return std::nullopt;
}

std::optional<Rect> bounds_by_definition(const Field& field) {
  std::optional<Rect> bounds;
  for (Index row = 0; row < field.extent().rows; ++row)
    for (Index col = 0; col < field.extent().cols; ++col) {
      if (!differs(field.at(row, col), 0)) continue;
      if (!bounds) bounds = Rect{{row, row + 1}, {col, col + 1}};
      bounds->rows.end = row + 1;
      bounds->cols = {std::min(bounds->cols.begin, col), std::max(bounds->cols.end, col + 1)};
    }
  return bounds;
}

/// The nearest index of a line of `size` values with another value than that at `from`.
template <class At>
std::optional<Index> nearest_by_definition(Index size, Index from, const At& at) {
  for (Index far = 1; far < size; ++far)
    for (const Index i : {from + far, from - far})
      if (i >= 0 && i < size && differs(at(i), at(from))) return i;
  return std::nullopt;
}

}  // namespace

class ChangesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    const ListedField field({3, 4}, {0, 0, 0, 0,  //
                                     0, 0, 5, 0,  //
                                     0, 7, 0, 0});
    QVERIFY(first_nonzero(field, {}).value() == ChangeCell({1, 2}));
    QVERIFY(nonzero_bounds(field, {}).value() == Rect({{1, 3}, {1, 3}}));
    QVERIFY(nearest_change(field, {1, 0}, {}).value() == ChangeCell({1, 2}));
    QVERIFY2(nearest_change(field, {0, 1}, {}).value() == ChangeCell({2, 1}), "the row is constant, the column is not");
    QVERIFY2(nearest_change(field, {1, 2}, {}).value() == ChangeCell({1, 3}), "the one after it, of two as near");
    QVERIFY(!nearest_change(field, {0, 0}, {}).value());
    const ListedField nothing({1, 2}, {0, 0});
    QVERIFY(!first_nonzero(nothing, {}).value());
    QVERIFY(!nonzero_bounds(nothing, {}).value());
  }

  void as_by_definition() {
    Random random(16);
    for (int i = 0; i < 300; ++i) {
      const ListedField field = random_field(random);
      QVERIFY(first_nonzero(field, {}).value() == first_by_definition(field));
      QVERIFY(nonzero_bounds(field, {}).value() == bounds_by_definition(field));
      const ChangeCell from{pick(random, 0, field.extent().rows - 1), pick(random, 0, field.extent().cols - 1)};
      if (std::isnan(field.at(from.row, from.col))) continue;
      const auto col =
          nearest_by_definition(field.extent().cols, from.col, [&](Index c) { return field.at(from.row, c); });
      const auto row =
          nearest_by_definition(field.extent().rows, from.row, [&](Index r) { return field.at(r, from.col); });
      const auto found = nearest_change(field, from, {}).value();
      if (col)
        QVERIFY(found == ChangeCell({from.row, *col}));
      else
        QVERIFY(row ? found == ChangeCell({*row, from.col}) : !found);
    }
  }

  /// A window of 128 keys, and rows without keys above it.
  void at_two_million_tokens() {
    constexpr Index t = 2097152;
    const StepField window({t, t}, 0, StepFunction{{0, -127, 1}, {0, 1, 0}});
    QVERIFY(first_nonzero(window, {}).value() == ChangeCell({0, 0}));
    QVERIFY(nearest_change(window, {1000000, 5}, {}).value() == ChangeCell({1000000, 999873}));
    QVERIFY(nearest_change(window, {1000000, 999873}, {}).value() == ChangeCell({1000000, 999872}));
    const StepField far({t, t}, 0, StepFunction{{0, -1999999, -1999998}, {0, 1, 0}});
    QVERIFY(first_nonzero(far, {}).value() == ChangeCell({1999999, 0}));
    QVERIFY(nonzero_bounds(far, {}).value() == Rect({{1999999, t}, {0, t - 1999999}}));
  }

  /// Its cells would have to be visited.
  void error_names_the_cells_not_visited() {
    constexpr Index t = 2097152;
    const auto window = std::make_shared<StepField>(Extent{t, t}, 0, StepFunction{{0, -127, 1}, {0, 1, 0}});
    const auto other = std::make_shared<StepField>(Extent{t, t}, 0, StepFunction{{0, -128, 1}, {0, 1, 0}});
    const auto found = first_nonzero(*make_difference(window, other).value(), {});
    QVERIFY(!found && found.error().code == Errc::too_large);
  }

  void stops() {
    std::stop_source stop;
    stop.request_stop();
    const ListedField field({2, 2}, {0, 0, 0, 0});
    const auto found = first_nonzero(field, stop.get_token());
    QVERIFY(!found && found.error().code == Errc::cancelled);
  }
};

VQSCOPE_TEST(ChangesTest)
#include "changes_test.moc"
