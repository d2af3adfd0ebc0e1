// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/block_walk.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class BlockWalkTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Cells of a nanosecond and of a millisecond alike: a check for a stop between blocks is in
  /// time.
  void blocksOfExpensiveCellsAreSmall() {
    constexpr double most_cost = 1 << 23;
    for (const double cost : {0.0, 1.0, 300.0, 1e5, 1e12})
      for (const Rect& cells : {Rect{{2, 9}, {5, 400}}, Rect{{0, 3}, {7, 200'000}}, Rect{{1, 2}, {1, 2}}}) {
        std::uint64_t visited = 0;
        Index row = cells.rows.begin, col = cells.cols.begin;
        double before = -1;
        for (BlockWalk walk(cells, cost); !walk.done();) {
          const Rect block = walk.next();
          QVERIFY(block.rows.begin == row && block.cols.begin == col);
          QVERIFY(block.area() == 1 || static_cast<double>(block.area()) * cost <= most_cost);
          QVERIFY(block.area() <= static_cast<std::uint64_t>(BlockWalk::max_cells));
          col = block.cols.end == cells.cols.end ? cells.cols.begin : block.cols.end;
          row = block.cols.end == cells.cols.end ? block.rows.end : block.rows.begin;
          visited += block.area();
          QVERIFY(walk.fraction() > before);
          before = walk.fraction();
        }
        QCOMPARE(visited, cells.area());
        QCOMPARE(before, 1.0);
      }
  }
};

VQSCOPE_TEST(BlockWalkTest)
#include "block_walk_test.moc"
