// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/lattice.h"

#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

class LatticeTest : public QObject {
  Q_OBJECT

 private slots:
  void tiles() {
    const Lattice lattice{{2, 5, 9}, {0, 1, 4, 8}};
    QCOMPARE(lattice.rows(), Index{2});
    QCOMPARE(lattice.cols(), Index{3});
    QVERIFY((lattice.tile(1, 2) == Rect{{5, 9}, {4, 8}}));
    QVERIFY((lattice.bounds() == Rect{{2, 9}, {0, 8}}));
    QCOMPARE(lattice.tile(1, 2).area(), Index{16});
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

  void outside_of_the_matrix_there_is_nothing() {
    const auto axis = pixel_axis(20, 30, 5, 10);
    QVERIFY(axis.edges.empty());
    QCOMPARE(axis.tiles, (std::vector<std::int32_t>(5, -1)));
    QVERIFY(pixel_axis(-30, -20, 5, 10).edges.empty());
  }

  void pixel_axes_lose_nothing_between_pixels() {
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

VQSCOPE_TEST(LatticeTest)
#include "lattice_test.moc"
