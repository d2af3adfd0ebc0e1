// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/piecewise.h"

#include "tests/core/mask/language/bound_nodes.h"
#include "tests/core/mask/language/bound_text.h"
#include "tests/core/mask/language/index_limits.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

/// Why pieces are not a function over [0, size), or another one; or nothing.
template <class Value>
std::string pieces_differ(const Pieces& pieces, Index size, const Value& value) {
  Index end = 0;
  for (const ArrayPiece& piece : pieces) {
    if (piece.range.begin != end || piece.range.size() <= 0) return "a piece begins at " + to_text(piece.range.begin);
    end = piece.range.end;
    for (Index x = piece.range.begin; x < piece.range.end; ++x)
      if (piece.at(x) != value(x)) return to_text(x) + ": " + to_text(piece.at(x)) + " for " + to_text(value(x));
  }
  return end == size ? std::string() : "the last piece ends at " + to_text(end);
}

std::vector<Index> begins(const Pieces& pieces) {
  std::vector<Index> all;
  for (const ArrayPiece& piece : pieces) all.push_back(piece.range.begin);
  return all;
}

}  // namespace

class PiecewiseTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void segments_of_a_line_by_hand() {
    // 10, 7, 4, 1, -2: at most 4 from the third on; 1 is the fourth, 2 is none.
    QCOMPARE(where_at_most(10, -3, 5, 4), (Range{2, 5}));
    QCOMPARE(where_at_most(10, -3, 5, 3), (Range{3, 5}));
    QCOMPARE(where_equal(10, -3, 5, 1), (Range{3, 4}));
    QCOMPARE(where_equal(10, -3, 5, 2), (Range{0, 0}));
    QCOMPARE(where_equal(10, -3, 3, 1), (Range{0, 0}));
    QCOMPARE(where_equal(10, 0, 5, 10), (Range{0, 5}));
    QCOMPARE(where_at_most(10, 0, 5, 9), (Range{0, 0}));
  }

  void segments_of_any_line() {
    for (Index first = -7; first <= 7; ++first)
      for (Index slope = -3; slope <= 3; ++slope)
        for (Index limit = -9; limit <= 9; ++limit)
          for (const Index count : {1, 2, 6}) {
            const Range low = where_at_most(first, slope, count, limit);
            const Range equal = where_equal(first, slope, count, limit);
            QVERIFY(low.begin >= 0 && low.end <= count && (low.size() == 0 || low.begin == 0 || low.end == count));
            for (Index t = 0; t < count; ++t) {
              QCOMPARE(low.contains(t), first + slope * t <= limit);
              QCOMPARE(equal.contains(t), first + slope * t == limit);
            }
          }
  }

  /// Differences of such numbers have 65 bits.
  void segments_at_the_ends_of_64_bits() {
    QCOMPARE(where_at_most(lowest_index, 1, 5, highest_index), (Range{0, 5}));
    QCOMPARE(where_at_most(highest_index, -1, 5, lowest_index).size(), Index{0});
    QCOMPARE(where_at_most(highest_index, -1, 5, highest_index - 2), (Range{2, 5}));
    QCOMPARE(where_equal(lowest_index, 1, 5, highest_index), (Range{0, 0}));
    QCOMPARE(where_equal(highest_index, lowest_index, 2, -1), (Range{1, 2}));
  }

  void the_piece_of_an_index() {
    const Pieces pieces{{{0, 3}, 0, 1}, {{3, 4}, 9, 0}, {{4, 10}, 5, -1}};
    for (Index x = 0; x < 10; ++x)
      for (std::size_t near = 0; near < 5; ++near)
        QCOMPARE(piece_at(pieces, x, near), x < 3 ? std::size_t{0} : x < 4 ? std::size_t{1} : std::size_t{2});
  }

  void pieces_by_hand() {
    const auto pieces = [](const char* expression) {
      const MaskBindings any{.arrays = {{"other", {-999, 999, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}}};
      const BoundText text(std::string(expression) + " == other[q_idx]", {.q_length = 12}, any);
      return *all_pieces(text.bound)[static_cast<std::size_t>(text.bound.at(text.bound.visible).a)];
    };
    // |kv - 4|: down to 4, then up.
    const Pieces bent = pieces("abs(kv_idx - 4)");
    QCOMPARE(begins(bent), (std::vector<Index>{0, 4}));
    QCOMPARE(bent[0].first, Index{4});
    QCOMPARE(bent[0].slope, Index{-1});
    QCOMPARE(begins(pieces("kv_idx // 5")), (std::vector<Index>{0, 5, 10}));
    QCOMPARE(begins(pieces("kv_idx % 5")), (std::vector<Index>{0, 5, 10}));
    QCOMPARE(begins(pieces("min(kv_idx, 7)")), (std::vector<Index>{0, 8}));
    QCOMPARE(begins(pieces("max(kv_idx, 7)")), (std::vector<Index>{0, 8}));
    // One line, however it is written.
    QCOMPARE(begins(pieces("3 * kv_idx - (kv_idx + 2) + 5")), (std::vector<Index>{0}));
    QCOMPARE(begins(pieces("~kv_idx")), (std::vector<Index>{0}));
    // Nonlinear functions have a piece for each value.
    QCOMPARE(pieces("kv_idx * kv_idx").size(), std::size_t{12});
    // 1, 0, 3, 2, 5, 4, ...
    QCOMPARE(pieces("kv_idx ^ 1").size(), std::size_t{12});
  }

  /// Each node of random programs that depends on one side alone.
  void pieces_agree_with_the_definition() {
    Random random(41);
    std::size_t known = 0;
    for (int i = 0; i < 900; ++i) {
      BoundNodes nodes({pick(random, 1, 40), pick(random, 1, 40)});
      add_random_nodes(random, nodes, 25, i % 4 == 3);
      const auto all = all_pieces(nodes.program);
      QCOMPARE(all.size(), nodes.program.nodes.size());
      for (std::size_t id = 0; id < all.size(); ++id) {
        const BoundNode& node = nodes.program.nodes[id];
        if (!all[id]) continue;
        ++known;
        QVERIFY(node.by_q != node.by_kv && node.exact);
        const auto wrong = pieces_differ(
            *all[id], node.by_q ? nodes.program.extent.rows : nodes.program.extent.cols,
            [&](Index x) { return nodes.value(static_cast<NodeId>(id), node.by_q ? x : 0, node.by_q ? 0 : x); });
        QVERIFY2(wrong.empty(),
                 ("node " + std::to_string(id) + " of program " + std::to_string(i) + ", " + wrong).c_str());
      }
    }
    QVERIFY2(known > 3000, qPrintable(QString::number(known)));
  }

  void weighted_sums_agree_with_the_definition() {
    Random random(42);
    for (int i = 0; i < 300; ++i) {
      const auto any_pieces = [&] {
        Pieces pieces;
        for (Index begin = 0; begin < 30;) {
          const Index end = pick(random, begin + 1, 30);
          pieces.push_back({{begin, end}, pick(random, -9, 9), end - begin == 1 ? 0 : pick(random, -2, 2)});
          begin = end;
        }
        return pieces;
      };
      const auto at = [](const Pieces& pieces, Index x) { return pieces[piece_at(pieces, x)].at(x); };
      const Pieces a = any_pieces(), b = any_pieces();
      const Index factor_a = pick(random, -3, 3), factor_b = pick(random, -3, 3);
      const auto sum = weighted_sum(a, factor_a, b, factor_b);
      QVERIFY(sum);
      COMPARE_TEXT(pieces_differ(*sum, 30, [&](Index x) { return factor_a * at(a, x) + factor_b * at(b, x); }), "");
    }
  }

  void neighbours_that_are_one_line_become_one_piece() {
    const Pieces up{{{0, 4}, 0, 1}, {{4, 9}, 4, 0}}, down{{{0, 4}, 9, -1}, {{4, 9}, 5, 0}};
    const auto sum = weighted_sum(up, 1, down, 1);
    QVERIFY(sum);
    QCOMPARE(begins(*sum), (std::vector<Index>{0}));
    QCOMPARE(sum->front().first, Index{9});
  }

  void arrays_by_both_or_no_indices_have_no_pieces() {
    BoundNodes nodes({5, 5});
    const NodeId q = nodes.q(), kv = nodes.kv(), three = nodes.constant(3);
    const NodeId behind = nodes.number(Op::subtract, q, kv);
    const NodeId wraps = nodes.number(Op::add, kv, nodes.constant(highest_index));
    const NodeId large = nodes.number(Op::add, kv, nodes.constant(Index{1} << 60));
    const auto all = all_pieces(nodes.program);
    const auto is_known = [&](NodeId id) { return all[static_cast<std::size_t>(id)] != nullptr; };
    QVERIFY(is_known(q) && is_known(kv));
    QVERIFY(!is_known(three) && !is_known(behind));
    QVERIFY2(!is_known(wraps) && !is_known(large), "more than what sums have room for");
  }

  void too_many_pieces_are_none() {
    const Index keys = 2 * static_cast<Index>(max_pieces);
    BoundNodes nodes({1, keys});
    const NodeId kv = nodes.kv();
    const auto known = [&](Index divisor) {
      const NodeId id = nodes.number(Op::floor_divide, kv, nodes.constant(divisor));
      return all_pieces(nodes.program)[static_cast<std::size_t>(id)];
    };
    QVERIFY(known(2));
    QCOMPARE(known(2)->size(), max_pieces);
    BoundNodes more({1, keys + 2});
    const NodeId halves = more.number(Op::floor_divide, more.kv(), more.constant(2));
    QVERIFY(!all_pieces(more.program)[static_cast<std::size_t>(halves)]);
  }

  void a_stop_leaves_the_rest_unknown() {
    std::stop_source stop;
    stop.request_stop();
    BoundNodes nodes({5, 5});
    nodes.number(Op::negate, nodes.kv());
    const auto all = all_pieces(nodes.program, stop.get_token());
    QCOMPARE(all.size(), std::size_t{2});
    QVERIFY(!all[0] && !all[1]);
  }

  void moderate_numbers_leave_room_for_their_sums() {
    constexpr Index limit = Index{1} << 60;
    QVERIFY(is_moderate({-limit + 1, limit - 1}));
    QVERIFY(!is_moderate({-limit, 0}) && !is_moderate({0, limit}));
  }
};

VQSCOPE_TEST(PiecewiseTest)
#include "piecewise_test.moc"
