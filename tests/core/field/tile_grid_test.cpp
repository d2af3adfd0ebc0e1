// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/tile_grid.h"

#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

using namespace vqscope;
using namespace vqscope::test;

class TileGridTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void tiles() {
    const TileGrid grid{{2, 5, 9}, {0, 1, 4, 8}};
    QCOMPARE(grid.rows(), Index{2});
    QCOMPARE(grid.cols(), Index{3});
    QVERIFY((grid.tile(1, 2) == Rect{{5, 9}, {4, 8}}));
    QVERIFY((grid.bounds() == Rect{{2, 9}, {0, 8}}));
    QCOMPARE(grid.tile(1, 2).area(), std::uint64_t{16});
  }

  void pixel_axis_by_hand() {
    // 10 cells in 4 pixels of 2.5 cells each.
    const auto out = pixel_axis(0, 10, 4, 10);
    QCOMPARE(out.edges, (std::vector<Index>{0, 2, 5, 7, 10}));
    QCOMPARE(out.tiles, (std::vector<std::int32_t>{0, 1, 2, 3}));
    // 2 cells in 5 pixels: the middle of the third pixel is the border of the cells.
    const auto in = pixel_axis(3, 5, 5, 10);
    QCOMPARE(in.edges, (std::vector<Index>{3, 4, 5}));
    QCOMPARE(in.tiles, (std::vector<std::int32_t>{0, 0, 1, 1, 1}));
    // Twice the matrix: a margin of two pixels on either side.
    const auto margin = pixel_axis(-4, 12, 8, 8);
    QCOMPARE(margin.edges, (std::vector<Index>{0, 2, 4, 6, 8}));
    QCOMPARE(margin.tiles, (std::vector<std::int32_t>{-1, -1, 0, 1, 2, 3, -1, -1}));
  }

  void pixels_outside_of_the_matrix_have_no_tile() {
    const auto axis = pixel_axis(20, 30, 5, 10);
    QVERIFY(axis.edges.empty());
    QCOMPARE(axis.tiles, (std::vector<std::int32_t>(5, -1)));
    QVERIFY(pixel_axis(-30, -20, 5, 10).edges.empty());
  }

  void pixel_axes_cover_every_cell() {
    Random random(1);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int i = 0; i < 3000; ++i) {
      const Index extent = pick(random, 1, 1000);
      const double first = (uniform(random) * 1.4 - 0.2) * static_cast<double>(extent);
      const double last = first + std::pow(10.0, uniform(random) * 5 - 1.5);
      const Index pixels = pick(random, 1, 60);
      const auto axis = pixel_axis(first, last, pixels, extent);
      QCOMPARE(axis.tiles.size(), static_cast<std::size_t>(pixels));
      std::int32_t next = 0;
      for (const auto tile : axis.tiles) {
        if (tile < 0) continue;
        QVERIFY(tile == next || tile + 1 == next);
        next = tile + 1;
      }
      QCOMPARE(static_cast<std::size_t>(next) + 1, std::max<std::size_t>(axis.edges.size(), 1));
      for (std::size_t e = 1; e < axis.edges.size(); ++e) QVERIFY(axis.edges[e - 1] < axis.edges[e]);
      if (axis.edges.empty()) continue;
      QVERIFY(axis.edges.front() >= 0 && axis.edges.back() <= extent);
      const bool cells_are_tiles = last - first < static_cast<double>(pixels);
      for (std::size_t e = 1; cells_are_tiles && e < axis.edges.size(); ++e)
        QCOMPARE(axis.edges[e] - axis.edges[e - 1], Index{1});
    }
  }

  void pixel_axes_end_where_the_span_does() {
    Random random(3);
    std::uniform_real_distribution<double> uniform(0, 1);
    const auto check = [](double first, double last, Index pixels, Index extent) {
      const auto axis = pixel_axis(first, last, pixels, extent);
      const auto name = QString("[%1, %2) of %3 in %4").arg(first).arg(last).arg(extent).arg(pixels);
      const double step = (last - first) / static_cast<double>(pixels);
      // Below one cell a pixel, a sliver of a cell that no pixel has its middle in is not shown.
      const bool slivers = step < 1;
      if (!slivers || first == std::floor(first))
        QVERIFY2(axis.edges.front() == static_cast<Index>(std::floor(first)), qPrintable(name));
      if (!slivers || last == std::floor(last))
        QVERIFY2(axis.edges.back() == std::min(static_cast<Index>(std::floor(last)), extent), qPrintable(name));
      // Tiles ascend without gaps, and with them the cells: each is covered exactly once.
      std::int32_t tile = 0;
      bool in_order = axis.tiles.front() == 0;
      for (const auto each : axis.tiles) {
        in_order = in_order && (each == tile || each == tile + 1);
        tile = each;
      }
      QVERIFY2(in_order && tile + 2 == static_cast<std::int32_t>(axis.edges.size()), qPrintable(name));
      QVERIFY2(std::ranges::adjacent_find(axis.edges, std::ranges::greater_equal()) == axis.edges.end(),
               qPrintable(name));
    };
    for (const Index pixels : {103, 121, 122, 141}) check(0, 1000, pixels, 1000);
    for (Index length = 500; length <= 3000; length += 61)
      for (Index pixels = 100; pixels <= 2000; pixels += 7) {
        const auto all = static_cast<double>(length);
        check(0, all, pixels, length);
        const double first = uniform(random) * all / 2;
        check(first, first + 1 + uniform(random) * (all - first - 1), pixels, length);
      }
    check(0.9999999999999999, 3.9999999999999996, 3, 10);
    check(4294967290.5, 4294967296.0, 640, Index{1} << 32);
  }

  void invalid_spans_have_no_tiles() {
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    for (const auto& [first, last] : {std::pair(0.0, inf), {-inf, 5.0}, {nan, 5.0}, {0.0, nan}, {5.0, 5.0}, {6.0, 5.0}})
      QVERIFY(pixel_axis(first, last, 4, 10).edges.empty());
    QCOMPARE(pixel_axis(-1e300, 1e300, 4, 10).edges, (std::vector<Index>{0, 10}));
    QVERIFY(pixel_axis(1e300, 1.1e300, 4, 10).edges.empty());
    QVERIFY(pixel_axis(-1.7e308, 1.7e308, 4, 10).edges.empty());
  }

  void spans_are_moved_before_they_are_shrunk() {
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const auto clamped = [](double first, double last, Index extent) {
      clamp_span(first, last, extent);
      return std::pair(first, last);
    };
    QCOMPARE(clamped(2, 5.5, 10), std::pair(2.0, 5.5));
    QCOMPARE(clamped(-3, 1, 10), std::pair(0.0, 4.0));
    QCOMPARE(clamped(8, 12, 10), std::pair(6.0, 10.0));
    QCOMPARE(clamped(-3, 12, 10), std::pair(0.0, 10.0));
    QCOMPARE(clamped(3, 3.25, 10), std::pair(3.0, 4.0));
    QCOMPARE(clamped(9.5, 9.75, 10), std::pair(9.0, 10.0));
    QCOMPARE(clamped(7, 2, 10), std::pair(7.0, 8.0));
    QCOMPARE(clamped(-1.7e308, 1.7e308, 10), std::pair(0.0, 10.0));
    QCOMPARE(clamped(1e300, 2e300, 10), std::pair(0.0, 10.0));
    for (const double odd : {inf, -inf, nan}) {
      QCOMPARE(clamped(odd, 5, 10), std::pair(0.0, 10.0));
      QCOMPARE(clamped(5, odd, 10), std::pair(0.0, 10.0));
    }
    QCOMPARE(clamped(0.25, 0.5, 1), std::pair(0.0, 1.0));
  }

  void cells_in_a_span_are_whole_and_at_least_one() {
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    QCOMPARE(cells_in(2, 5, 10), (Range{2, 5}));
    QCOMPARE(cells_in(2.5, 4.5, 10), (Range{2, 5}));
    QCOMPARE(cells_in(-3, 12, 10), (Range{0, 10}));
    QCOMPARE(cells_in(4, 4, 10), (Range{4, 5}));
    QCOMPARE(cells_in(7, 2, 10), (Range{7, 8}));
    QCOMPARE(cells_in(20, 30, 10), (Range{9, 10}));
    QCOMPARE(cells_in(-30, -20, 10), (Range{0, 1}));
    QCOMPARE(cells_in(-inf, inf, 10), (Range{0, 10}));
    QCOMPARE(cells_in(-1e300, 1e300, Index{1} << 32), (Range{0, Index{1} << 32}));
    QCOMPARE(cells_in(nan, 3, 10), (Range{0, 10}));
  }

  void middles_of_tiles() {
    QCOMPARE(middles({2, 3, 4}), (std::vector<double>{2, 3}));
    QCOMPARE(middles({0, 3, 5}), (std::vector<double>{1, 3.5}));
  }

  void even_edges_differ_by_one_cell_at_most() {
    QCOMPARE(even_edges({0, 10}, 4), (std::vector<Index>{0, 3, 6, 8, 10}));
    QCOMPARE(even_edges({5, 7}, 9), (std::vector<Index>{5, 6, 7}));
    Random random(2);
    for (int i = 0; i < 500; ++i) {
      const Index begin = pick(random, 0, 1000);
      const Range range{begin, pick(random, begin + 1, 3000)};
      const Index tiles = pick(random, 1, 100);
      const auto edges = even_edges(range, tiles);
      QCOMPARE(static_cast<Index>(edges.size()) - 1, std::min(tiles, range.size()));
      QVERIFY(edges.front() == range.begin && edges.back() == range.end);
      for (std::size_t e = 1; e < edges.size(); ++e)
        QVERIFY((edges[e] - edges[e - 1]) - range.size() / (static_cast<Index>(edges.size()) - 1) <= 1);
    }
  }
};

VQSCOPE_TEST(TileGridTest)
#include "tile_grid_test.moc"
