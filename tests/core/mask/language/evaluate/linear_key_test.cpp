// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/evaluate/lane_plan.h"

#include "tests/core/mask/language/bound_nodes.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

using Parts = std::vector<std::pair<Index, NodeId>>;

class LinearKeyTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void key_plus_parts_of_the_query() {
    BoundNodes nodes({8, 8});
    const NodeId q = nodes.q(), kv = nodes.kv(), three = nodes.constant(3);
    QCOMPARE(linear(nodes.program, kv)->sign, Index{1});
    QVERIFY(linear(nodes.program, kv)->parts.empty());
    // Nodes that depend only on the query are one part.
    const NodeId square = nodes.number(Op::multiply, q, q);
    const auto of_query = linear(nodes.program, square);
    QCOMPARE(of_query->sign, Index{0});
    QCOMPARE(of_query->parts, (Parts{{1, square}}));
    // 3 - (kv - q * q) = -kv + 3 + q * q.
    const NodeId behind = nodes.number(Op::subtract, three, nodes.number(Op::subtract, kv, square));
    const auto sum = linear(nodes.program, behind);
    QCOMPARE(sum->sign, Index{-1});
    QCOMPARE(sum->parts, (Parts{{1, three}, {1, square}}));
    const auto negated = linear(nodes.program, nodes.number(Op::negate, behind));
    QCOMPARE(negated->sign, Index{1});
    QCOMPARE(negated->parts, (Parts{{-1, three}, {-1, square}}));
  }

  void a_key_may_come_twice_or_cancel() {
    BoundNodes nodes({8, 8});
    const NodeId kv = nodes.kv();
    QCOMPARE(linear(nodes.program, nodes.number(Op::add, kv, kv))->sign, Index{2});
    QCOMPARE(linear(nodes.program, nodes.number(Op::subtract, kv, kv))->sign, Index{0});
  }

  void expressions_not_linear_in_the_key() {
    BoundNodes nodes({8, 8});
    const NodeId q = nodes.q(), kv = nodes.kv(), two = nodes.constant(2);
    for (const Op op :
         {Op::multiply, Op::floor_divide, Op::modulo, Op::minimum, Op::maximum, Op::bit_and, Op::shift_left})
      QVERIFY2(!linear(nodes.program, nodes.number(op, kv, two)), qPrintable(QString::number(static_cast<int>(op))));
    QVERIFY(!linear(nodes.program, nodes.number(Op::absolute, kv)));
    QVERIFY(!linear(nodes.program, nodes.element({1, 2, 3}, kv)));
    // Not in an operand either, on whichever side.
    const NodeId product = nodes.number(Op::multiply, kv, two);
    QVERIFY(!linear(nodes.program, nodes.number(Op::add, q, product)));
    QVERIFY(!linear(nodes.program, nodes.number(Op::add, product, q)));
    QVERIFY(!linear(nodes.program, nodes.number(Op::negate, product)));
  }

  /// A sum that wraps is another value than the sum of its parts.
  void a_sum_that_can_wrap_is_none() {
    BoundNodes nodes({8, 8});
    const NodeId kv = nodes.kv();
    const NodeId highest = nodes.constant(std::numeric_limits<Index>::max());
    QVERIFY(!linear(nodes.program, nodes.number(Op::add, kv, highest)));
    const NodeId fits = nodes.constant(std::numeric_limits<Index>::max() - 7);
    QVERIFY(linear(nodes.program, nodes.number(Op::add, kv, fits)));
  }

  void sixteen_parts_are_the_most() {
    BoundNodes nodes({8, 8});
    NodeId sum = nodes.kv();
    const NodeId q = nodes.q();
    for (int i = 0; i < 16; ++i) {
      sum = nodes.number(Op::add, sum, q);
      QVERIFY(linear(nodes.program, sum));
      QCOMPARE(linear(nodes.program, sum)->parts.size(), static_cast<std::size_t>(i + 1));
    }
    QVERIFY(!linear(nodes.program, nodes.number(Op::add, sum, q)));
  }

  void append_adds_a_multiple() {
    Linear sum{1, {{2, 5}}};
    QVERIFY(append(sum, -3, {2, {{1, 7}, {-4, 9}}}));
    QCOMPARE(sum.sign, Index{-5});
    QCOMPARE(sum.parts, (Parts{{2, 5}, {-3, 7}, {12, 9}}));
  }
};

VQSCOPE_TEST(LinearKeyTest)
#include "linear_key_test.moc"
