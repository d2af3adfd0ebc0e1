// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/bind/bound_program.h"

#include "tests/core/mask/language/bound_nodes.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

/// The first cell of a rectangle at which a node is not within what it can be there, or nothing.
std::string outside(const BoundNodes& nodes, NodeId id, const Rect& cells, Bounds bounds) {
  for (Index row = cells.rows.begin; row < cells.rows.end; ++row)
    for (Index col = cells.cols.begin; col < cells.cols.end; ++col) {
      const Index value = nodes.value(id, row, col);
      if (value < bounds.low || value > bounds.high)
        return "node " + to_text(Index{id}) + " at " + cell_name(row, col) + " is " + to_text(value) + ", not in " +
               to_text(bounds.low) + ".." + to_text(bounds.high);
    }
  return {};
}

Rect random_window(Random& random, Extent extent) {
  const Index top = pick(random, 0, extent.rows - 1), left = pick(random, 0, extent.cols - 1);
  return {{top, pick(random, top + 1, extent.rows)}, {left, pick(random, left + 1, extent.cols)}};
}

}  // namespace

class IntervalEvaluatorTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_window_by_hand() {
    BoundNodes nodes({100, 100});
    const NodeId behind = nodes.number(Op::subtract, nodes.q(), nodes.kv());
    const NodeId near = nodes.truth(Op::less, nodes.number(Op::absolute, behind), nodes.constant(10));
    IntervalEvaluator intervals(nodes.program);
    // Rows 20..29 less columns 0..4: 16 at least, 29 at most.
    QCOMPARE(intervals.over({{20, 30}, {0, 5}}, behind), (Bounds{16, 29}));
    QCOMPARE(intervals.over({{20, 30}, {0, 5}}, near), (Bounds{0, 0}));
    QCOMPARE(intervals.over({{20, 24}, {18, 22}}, near), (Bounds{1, 1}));
    QCOMPARE(intervals.over({{20, 30}, {10, 30}}, near), (Bounds{0, 1}));
    QCOMPARE(intervals.over({{7, 8}, {9, 10}}, behind), (Bounds{-2, -2}));
  }

  void an_element_is_one_of_the_range_that_its_index_has() {
    BoundNodes nodes({10, 10});
    const NodeId value = nodes.element({5, -3, 8, 8, 1, 0}, nodes.kv());
    IntervalEvaluator intervals(nodes.program);
    QCOMPARE(intervals.over({{0, 10}, {0, 2}}, value), (Bounds{-3, 5}));
    QCOMPARE(intervals.over({{0, 10}, {2, 4}}, value), (Bounds{8, 8}));
    // Beyond the end it is 0, which may be less than all that is in the array.
    QCOMPARE(intervals.over({{0, 10}, {2, 10}}, value), (Bounds{0, 8}));
    QCOMPARE(intervals.over({{0, 10}, {7, 9}}, value), (Bounds{0, 0}));
  }

  void one_cell_is_exact() {
    Random random(5);
    for (int i = 0; i < 200; ++i) {
      BoundNodes nodes({30, 30});
      add_random_nodes(random, nodes, 12, false);
      IntervalEvaluator intervals(nodes.program);
      const Index row = pick(random, 0, 29), col = pick(random, 0, 29);
      for (NodeId id = 0; id < static_cast<NodeId>(nodes.program.nodes.size()); ++id) {
        const Bounds found = intervals.over({{row, row + 1}, {col, col + 1}}, id);
        const Index value = nodes.value(id, row, col);
        // Where an operation wraps or is refused nothing is known.
        if (found.low != found.high) QVERIFY(found.low <= value && value <= found.high);
        if (found.low == found.high) QCOMPARE(found.low, value);
      }
    }
  }

  /// Every node of random programs over random rectangles, with numbers as large as 64 bits are.
  void no_value_is_outside() {
    Random random(6);
    const Extent extent{24, 31};
    for (int i = 0; i < 1200; ++i) {
      BoundNodes nodes(extent);
      const NodeId root = add_random_nodes(random, nodes, 14, i % 2 == 1);
      IntervalEvaluator intervals(nodes.program);
      const Rect cells = i % 4 == 0 ? Rect{{3, 5}, {17, 20}} : random_window(random, extent);
      for (NodeId id = 0; id <= root; ++id) {
        const auto wrong = outside(nodes, id,
                                   {{cells.rows.begin, std::min(cells.rows.end, cells.rows.begin + 4)},
                                    {cells.cols.begin, std::min(cells.cols.end, cells.cols.begin + 4)}},
                                   intervals.over(cells, id));
        QVERIFY2(wrong.empty(), ("program " + std::to_string(i) + ", " + wrong).c_str());
        const Rect all{{0, extent.rows}, {0, extent.cols}};
        QCOMPARE(intervals.over(all, id), nodes.program.at(id).bounds);
      }
    }
  }

  /// A part of a rectangle can be no more than the whole.
  void bounds_shrink_with_the_cells() {
    Random random(7);
    for (int i = 0; i < 400; ++i) {
      BoundNodes nodes({40, 40});
      const NodeId root = add_random_nodes(random, nodes, 10, false);
      IntervalEvaluator intervals(nodes.program);
      const Rect outer = random_window(random, {40, 40});
      const Rect part = random_window(random, {outer.rows.size(), outer.cols.size()});
      const Rect inner{{outer.rows.begin + part.rows.begin, outer.rows.begin + part.rows.end},
                       {outer.cols.begin + part.cols.begin, outer.cols.begin + part.cols.end}};
      for (NodeId id = 0; id <= root; ++id) {
        const Bounds of_all = intervals.over(outer, id);
        const Bounds of_part = intervals.over(inner, id);
        QVERIFY2(of_all.low <= of_part.low && of_part.high <= of_all.high,
                 ("program " + std::to_string(i) + ", node " + std::to_string(id)).c_str());
      }
    }
  }
};

VQSCOPE_TEST(IntervalEvaluatorTest)
#include "interval_evaluator_test.moc"
