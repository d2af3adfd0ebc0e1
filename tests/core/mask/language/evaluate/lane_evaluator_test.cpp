// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/evaluate/lane_evaluator.h"

#include "tests/core/mask/language/bound_nodes.h"
#include "tests/support/compare.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

std::vector<std::uint8_t> evaluated_row(const LaneEvaluator& lanes, Index q, Range cols) {
  // One byte more than requested, which must not be written.
  std::vector<std::uint8_t> out(static_cast<std::size_t>(cols.size()) + 1, 77);
  lanes.row(q, cols, out.data());
  return out;
}

/// The first key at which a row differs from the definition, or nothing.
std::string lanes_differ(const BoundNodes& nodes, const LaneEvaluator& lanes, NodeId root, Index q, Range cols) {
  const auto out = evaluated_row(lanes, q, cols);
  if (out.back() != 77) return "a byte behind the row is written";
  for (Index kv = cols.begin; kv < cols.end; ++kv)
    if (out[static_cast<std::size_t>(kv - cols.begin)] != nodes.value(root, q, kv))
      return cell_name(q, kv) + " differs, from column " + to_text(cols.begin);
  return {};
}

/// The intervals of a row against its bytes.
std::string intervals_differ(const LaneEvaluator& lanes, Index q, Range cols) {
  const auto bytes = evaluated_row(lanes, q, cols);
  std::vector<Range> wanted, found;
  for (Index kv = cols.begin; kv < cols.end; ++kv) {
    if (bytes[static_cast<std::size_t>(kv - cols.begin)] == 0) continue;
    if (!wanted.empty() && wanted.back().end == kv)
      ++wanted.back().end;
    else
      wanted.push_back({kv, kv + 1});
  }
  lanes.intervals(q, cols, found);
  return found == wanted ? std::string() : "intervals of row " + to_text(q) + " differ";
}

Range random_columns(Random& random, Index cols) {
  const Index begin = pick(random, 0, cols - 1);
  return {begin, pick(random, begin, cols)};
}

}  // namespace

class LaneEvaluatorTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_causal_row_by_hand() {
    BoundNodes nodes({6, 6});
    const NodeId root = nodes.truth(Op::less_equal, nodes.kv(), nodes.q());
    const LaneEvaluator lanes(nodes.program, root);
    QCOMPARE(evaluated_row(lanes, 2, {0, 6}), (std::vector<std::uint8_t>{1, 1, 1, 0, 0, 0, 77}));
    QCOMPARE(evaluated_row(lanes, 2, {2, 5}), (std::vector<std::uint8_t>{1, 0, 0, 77}));
    QCOMPARE(evaluated_row(lanes, 5, {4, 4}), (std::vector<std::uint8_t>{77}));
  }

  /// Each operation on the key and the query, in lanes of 32 and of 64 bits.
  void each_operation_of_two_integers() {
    for (const Index shift : {Index{0}, Index{1} << 40})
      for (const Op op : integer_operations) {
        BoundNodes nodes({20, 300});
        const NodeId q = nodes.number(Op::subtract, nodes.q(), nodes.constant(5));
        const NodeId kv = nodes.number(Op::add, nodes.kv(), nodes.constant(shift - 7));
        for (const bool key_left : {true, false}) {
          const NodeId value = nodes.number(op, key_left ? kv : q, has_one_operand(op) ? no_node : key_left ? q : kv);
          const NodeId four = nodes.constant(4);
          const NodeId root = nodes.truth(Op::less_equal, nodes.number(Op::bit_and, value, four), q);
          const LaneEvaluator lanes(nodes.program, root);
          for (const Index row : {0, 4, 5, 6, 19}) COMPARE_TEXT(lanes_differ(nodes, lanes, root, row, {0, 300}), "");
        }
      }
  }

  void random_programs_at_any_window() {
    Random random(31);
    for (int i = 0; i < 700; ++i) {
      BoundNodes nodes({12, 700});
      const NodeId root = add_random_nodes(random, nodes, static_cast<int>(pick(random, 1, 24)), i % 3 == 0);
      const LaneEvaluator lanes(nodes.program, root);
      for (int k = 0; k < 3; ++k) {
        const Index row = pick(random, 0, 11);
        const Range cols = k == 0 ? Range{250, 262} : random_columns(random, 700);
        auto wrong = lanes_differ(nodes, lanes, root, row, {cols.begin, std::min(cols.end, cols.begin + 300)});
        if (wrong.empty()) wrong = intervals_differ(lanes, row, cols);
        QVERIFY2(wrong.empty(), ("program " + std::to_string(i) + ": " + wrong).c_str());
      }
    }
  }

  /// Nodes that are not the root, such as one of the query alone, are rows as well.
  void every_truth_value_of_a_program() {
    Random random(32);
    for (int i = 0; i < 60; ++i) {
      BoundNodes nodes({9, 40});
      add_random_nodes(random, nodes, 20, false);
      for (NodeId id = 0; id < static_cast<NodeId>(nodes.program.nodes.size()); ++id) {
        if (!nodes.program.at(id).is_bool) continue;
        const LaneEvaluator lanes(nodes.program, id);
        for (const Index row : {0, 8}) {
          const auto wrong = lanes_differ(nodes, lanes, id, row, {0, 40});
          QVERIFY2(wrong.empty(), ("node " + std::to_string(id) + ": " + wrong).c_str());
        }
      }
    }
  }

  void a_border_far_beyond_the_keys() {
    BoundNodes nodes({3, 5});
    const Index far = std::numeric_limits<Index>::max() - 9;
    for (const Index border : {far, -far, Index{1} << 61, -(Index{1} << 61)})
      for (const Op op : {Op::less, Op::less_equal, Op::equal}) {
        const NodeId root = nodes.truth(op, nodes.number(Op::add, nodes.kv(), nodes.q()), nodes.constant(border));
        COMPARE_TEXT(lanes_differ(nodes, LaneEvaluator(nodes.program, root), root, 2, {0, 5}), "");
      }
  }

  void intervals_are_joined_to_the_last_one() {
    BoundNodes nodes({2, 1000});
    const NodeId third = nodes.number(Op::floor_divide, nodes.kv(), nodes.constant(100));
    const NodeId root = nodes.truth(Op::equal, nodes.number(Op::modulo, third, nodes.constant(3)),
                                    nodes.number(Op::multiply, nodes.q(), nodes.constant(0)));
    const LaneEvaluator lanes(nodes.program, root);
    std::vector<Range> whole, pieces;
    lanes.intervals(0, {0, 1000}, whole);
    QCOMPARE(whole, (std::vector<Range>{{0, 100}, {300, 400}, {600, 700}, {900, 1000}}));
    for (const Index begin : {0, 50, 100, 350, 360, 655})
      lanes.intervals(0,
                      {begin, begin == 0     ? 50
                              : begin == 50  ? 100
                              : begin == 100 ? 350
                              : begin == 350 ? 360
                              : begin == 360 ? 655
                                             : 1000},
                      pieces);
    QCOMPARE(pieces, whole);
    // Intervals that end before the first column stay unchanged.
    std::vector<Range> before{{0, 2}};
    lanes.intervals(0, {300, 310}, before);
    QCOMPARE(before, (std::vector<Range>{{0, 2}, {300, 310}}));
  }

  void two_million_keys() {
    const Index keys = 2097152;
    BoundNodes nodes({keys, keys});
    const NodeId q = nodes.q(), kv = nodes.kv();
    const NodeId behind = nodes.number(Op::subtract, q, kv);
    const NodeId mixed = nodes.number(Op::modulo, nodes.number(Op::bit_xor, q, kv), nodes.constant(1000));
    const NodeId root = nodes.truth(Op::logical_and, nodes.truth(Op::less, mixed, nodes.constant(3)),
                                    nodes.truth(Op::less_equal, nodes.constant(0), behind));
    const LaneEvaluator lanes(nodes.program, root);
    std::vector<Range> row;
    const Index last = keys - 1;
    lanes.intervals(last, {0, keys}, row);
    std::size_t next = 0;
    Random random(33);
    for (int i = 0; i < 20000; ++i) {
      const Index col = i < 1000 ? last - i : pick(random, 0, last);
      const auto found = std::ranges::any_of(row, [&](const Range& some) { return some.contains(col); });
      QCOMPARE(found, nodes.value(root, last, col) != 0);
      if (++next == 200) break;
    }
    Index seen = 0;
    for (const Range& some : row) seen += some.size();
    // For last ^ kv, a permutation of all keys, three in a thousand: of the 152 beyond 2,097,000
    // three as well.
    QCOMPARE(seen, Index{2097 * 3 + 3});
  }
};

VQSCOPE_TEST(LaneEvaluatorTest)
#include "lane_evaluator_test.moc"
