// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/node_sums.h"

#include "tests/core/mask/language/bound_nodes.h"
#include "tests/core/mask/language/solve/sum_at.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

struct Sums {
  BoundNodes& nodes;
  RegionWork work{{1 << 20, {}}};
  std::vector<PiecesPtr> pieces = all_pieces(nodes.program);
  std::optional<Index> row = {};
  NodeSums sums{nodes.program, pieces, row, work};
};

}  // namespace

class NodeSumsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_sum_by_hand() {
    BoundNodes nodes({9, 9});
    const NodeId q = nodes.q(), kv = nodes.kv(), five = nodes.constant(5);
    const NodeId behind = nodes.number(Op::subtract, nodes.number(Op::subtract, q, kv), five);
    Sums made{nodes};
    const auto sum = made.sums.plain_sum(behind, 0);
    QVERIFY(sum);
    for (const Index x : {0, 3, 8}) {
      QCOMPARE(sum_at(sum->f, x), x - 5);
      QCOMPARE(sum_at(sum->g, x), -x);
    }
    const auto difference = made.sums.difference_of(*sum, *made.sums.plain_sum(behind, 0));
    QVERIFY(difference && difference->is_constant());
    QCOMPARE(difference->f.offset + difference->g.offset, Index{0});
  }

  void parts_depend_on_one_index() {
    BoundNodes nodes({9, 9});
    const NodeId q = nodes.q(), kv = nodes.kv(), five = nodes.constant(5);
    const NodeId huge = nodes.constant(Index{1} << 60), both = nodes.number(Op::add, q, kv);
    Sums made{nodes};
    QCOMPARE(made.sums.part_of(five)->offset, Index{5});
    QVERIFY(made.sums.part_of(five)->is_constant());
    QCOMPARE(sum_at(*made.sums.part_of(q), 7), Index{7});
    QVERIFY(!made.sums.part_of(both));
    QVERIFY(!made.sums.part_of(huge));
    QVERIFY(made.sums.plain_sum(kv, 0)->f.is_constant());
    QVERIFY(made.sums.plain_sum(q, 0)->g.is_constant());
  }

  /// In a single requested row, nodes that depend on the query are numbers.
  void single_row_makes_query_terms_constant() {
    BoundNodes nodes({9, 9});
    const NodeId square = nodes.number(Op::multiply, nodes.q(), nodes.q());
    const NodeId sum = nodes.number(Op::add, square, nodes.kv());
    Sums made{.nodes = nodes, .row = 6};
    QVERIFY(made.sums.part_of(square)->is_constant());
    QCOMPARE(made.sums.part_of(square)->offset, Index{36});
    QCOMPARE(made.sums.plain_sum(sum, 0)->f.offset + made.sums.plain_sum(sum, 0)->g.offset, Index{36});
  }

  void sums_agree_with_the_definition() {
    Random random(71);
    int known = 0;
    for (int i = 0; i < 600; ++i) {
      BoundNodes nodes({15, 18});
      std::vector<NodeId> all{nodes.q(), nodes.kv(), nodes.constant(pick(random, -9, 9)),
                              nodes.element({3, 1, 4, 1, 5}, 1), nodes.element({9, 2, 6}, 0)};
      const auto any = [&] {
        return all[static_cast<std::size_t>(pick(random, 0, static_cast<Index>(all.size()) - 1))];
      };
      for (int k = 0; k < 8; ++k) {
        const Op op =
            std::array{Op::add, Op::subtract, Op::negate, Op::multiply}[static_cast<std::size_t>(pick(random, 0, 3))];
        all.push_back(nodes.number(op, any(), op == Op::negate ? no_node : any()));
      }
      Sums made{nodes};
      for (const NodeId id : all) {
        const auto sum = made.sums.plain_sum(id, 0);
        if (!sum) continue;
        ++known;
        for (const Index q : {0, 1, 2, 7, 14})
          for (const Index kv : {0, 1, 4, 5, 17})
            QCOMPARE(sum_at(sum->f, q) + sum_at(sum->g, kv), nodes.value(id, q, kv));
      }
    }
    QVERIFY(known > 5000);
  }

  void expressions_that_are_no_sum() {
    BoundNodes nodes({9, 9});
    const NodeId q = nodes.q(), kv = nodes.kv();
    const NodeId product = nodes.number(Op::multiply, q, kv);
    const NodeId behind = nodes.number(Op::subtract, q, kv);
    Sums made{nodes};
    QVERIFY(!made.sums.plain_sum(product, 0));
    const NodeId distance = nodes.number(Op::absolute, behind), twice = nodes.number(Op::add, product, q);
    Sums more{nodes};
    QVERIFY(!more.sums.plain_sum(distance, 0) && !more.sums.plain_sum(twice, 0));
    QVERIFY(!more.work.failed());
  }

  void deep_or_expensive_sums_are_refused() {
    BoundNodes nodes({9, 9});
    NodeId sum = nodes.number(Op::subtract, nodes.q(), nodes.kv());
    for (int i = 1; i < deepest_node; ++i) sum = nodes.number(Op::negate, sum);
    const NodeId deeper = nodes.number(Op::negate, nodes.number(Op::negate, sum));
    Sums made{nodes};
    QVERIFY(made.sums.plain_sum(sum, 0));
    QVERIFY(!made.sums.plain_sum(deeper, 0));
    QVERIFY(!made.work.failed());
    RegionWork little({100, {}});
    NodeSums poor(nodes.program, made.pieces, std::nullopt, little);
    QVERIFY(!poor.plain_sum(sum, 0));
    QVERIFY(little.failed());
  }
};

VQSCOPE_TEST(NodeSumsTest)
#include "node_sums_test.moc"
