// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/evaluate/lane_plan.h"

#include "tests/core/mask/language/bound_nodes.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

std::vector<LaneKind> kinds(const LanePlan& plan) {
  std::vector<LaneKind> all;
  for (const LaneStep& step : plan.steps) all.push_back(step.kind);
  return all;
}

/// The only step of a comparison of two integers.
LaneStep border_step(BoundNodes& nodes, Op op, NodeId left, NodeId right) {
  const LanePlan plan = lane_plan(nodes.program, nodes.truth(op, left, right));
  return plan.steps.size() == 1 ? plan.steps[0] : LaneStep{};
}

}  // namespace

class LanePlanTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// kv < q is below q, kv <= q below q + 1; q < kv is from q + 1 on, q <= kv from q on.
  void comparisons_that_are_linear_in_the_key_are_borders() {
    BoundNodes nodes({16, 16});
    const NodeId q = nodes.q(), kv = nodes.kv();
    using Case = std::tuple<Op, bool, LaneKind, Index>;
    for (const auto& [op, key_left, kind, added] :
         {Case{Op::less, true, LaneKind::below, 0}, Case{Op::less_equal, true, LaneKind::below, 1},
          Case{Op::less, false, LaneKind::from, 1}, Case{Op::less_equal, false, LaneKind::from, 0},
          Case{Op::equal, true, LaneKind::only, 0}, Case{Op::equal, false, LaneKind::only, 0}}) {
      const LaneStep step = border_step(nodes, op, key_left ? kv : q, key_left ? q : kv);
      QCOMPARE(step.kind, kind);
      QCOMPARE(step.array, added);
      QCOMPARE(step.border.parts, (std::vector<std::pair<Index, NodeId>>{{1, q}}));
    }
  }

  void a_key_that_comes_twice_is_no_border() {
    BoundNodes nodes({16, 16});
    const NodeId q = nodes.q(), kv = nodes.kv();
    const NodeId twice = nodes.number(Op::add, kv, kv);
    QCOMPARE(kinds(lane_plan(nodes.program, nodes.truth(Op::less, twice, q))),
             (std::vector<LaneKind>{LaneKind::operation, LaneKind::operation, LaneKind::operation}));
    // Nor one that cancels.
    const NodeId none = nodes.number(Op::subtract, nodes.number(Op::add, kv, q), kv);
    QVERIFY(border_step(nodes, Op::less, none, q).kind == LaneKind::operation);
  }

  void elements_beside_the_key_are_blocks() {
    BoundNodes nodes({8, 8});
    const NodeId kv = nodes.kv(), six = nodes.constant(6);
    const auto first = [&](const std::vector<Index>& values, NodeId at) {
      return lane_plan(nodes.program, nodes.truth(Op::less, nodes.element(values, at), six));
    };
    const LanePlan plan = first({1, 2, 3, 4, 5, 6, 7, 8}, kv);
    QCOMPARE(kinds(plan), (std::vector<LaneKind>{LaneKind::block, LaneKind::operation}));
    QVERIFY(plan.steps[0].border.parts.empty());
    QCOMPARE(plan.narrow_arrays[0], (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7, 8}));
    // Where the index can leave the array each key is looked up.
    QCOMPARE(kinds(first({1, 2, 3, 4, 5, 6, 7}, kv)),
             (std::vector<LaneKind>{LaneKind::operation, LaneKind::operation, LaneKind::operation}));
    const NodeId next = nodes.number(Op::add, kv, nodes.constant(1));
    const LanePlan shifted = first({0, 1, 2, 3, 4, 5, 6, 7, 8}, next);
    QCOMPARE(kinds(shifted), (std::vector<LaneKind>{LaneKind::block, LaneKind::operation}));
    QCOMPARE(shifted.steps[0].border.parts.size(), std::size_t{1});
    // One that goes backwards is none.
    const NodeId back = nodes.number(Op::subtract, nodes.constant(7), kv);
    QCOMPARE(kinds(first({1, 2, 3, 4, 5, 6, 7, 8}, back)).back(), LaneKind::operation);
    QCOMPARE(kinds(first({1, 2, 3, 4, 5, 6, 7, 8}, back)).size(), std::size_t{4});
  }

  void lanes_have_32_bits_where_all_of_them_fit() {
    const Index limit = std::numeric_limits<std::int32_t>::max();
    const auto narrow = [](Index added, Op op) {
      BoundNodes nodes({2, 2});
      const NodeId sum = nodes.number(op, nodes.kv(), nodes.constant(added));
      const NodeId square = nodes.number(Op::bit_xor, sum, nodes.q());
      return lane_plan(nodes.program, nodes.truth(Op::equal, square, nodes.q())).narrow;
    };
    QVERIFY(narrow(limit / 2, Op::add));
    QVERIFY(!narrow(limit, Op::add));
    QVERIFY(!narrow(-limit - 2, Op::subtract));
    QVERIFY(!narrow(std::numeric_limits<Index>::max(), Op::add));
  }

  void query_only_nodes_are_computed_once() {
    BoundNodes nodes({8, 8});
    const NodeId q = nodes.q(), kv = nodes.kv();
    const NodeId square = nodes.number(Op::multiply, q, q);
    const NodeId product = nodes.number(Op::multiply, kv, square);
    const LanePlan plan = lane_plan(nodes.program, nodes.truth(Op::less, product, square));
    QCOMPARE(plan.broadcasts.size(), std::size_t{1});
    QCOMPARE(plan.broadcasts[0].node, square);
    QCOMPARE(plan.by_query, (std::vector<NodeId>{q, square}));
    QCOMPARE(plan.steps.size(), std::size_t{3});
  }

  void a_root_of_the_query_alone_has_no_steps() {
    BoundNodes nodes({8, 8});
    const NodeId root = nodes.truth(Op::less, nodes.q(), nodes.constant(3));
    const LanePlan plan = lane_plan(nodes.program, root);
    QVERIFY(plan.steps.empty());
    QCOMPARE(plan.broadcasts.size(), std::size_t{1});
    QVERIFY(plan.broadcasts[0].is_bool);
    QCOMPARE(plan.result, plan.broadcasts[0].slot);
  }

  /// A long chain takes few slots.
  void slots_are_used_again() {
    BoundNodes nodes({8, 8});
    NodeId value = nodes.kv();
    const NodeId three = nodes.constant(3);
    for (int i = 0; i < 40; ++i) value = nodes.number(i % 2 == 0 ? Op::bit_xor : Op::minimum, value, three);
    const LanePlan plan = lane_plan(nodes.program, nodes.truth(Op::equal, value, three));
    QCOMPARE(plan.steps.size(), std::size_t{42});
    QVERIFY2(plan.int_slots <= 3, qPrintable(QString::number(plan.int_slots)));
    QCOMPARE(plan.bool_slots, 1);
  }
};

VQSCOPE_TEST(LanePlanTest)
#include "lane_plan_test.moc"
