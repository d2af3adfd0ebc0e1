// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/count/block_patterns.h"

#include "tests/core/mask/language/bound_nodes.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <map>
#include <set>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

constexpr Index leaf = BlockPatterns::leaf;

/// Why patterns are not those of the values, or nothing.
template <class Value>
std::string patterns_differ(const BlockPatterns& made, Index size, const Value& value) {
  for (int level = 0; (leaf << level) <= size || level == 0; ++level) {
    const Index length = leaf << level;
    const Index blocks = level == 0 ? (size + leaf - 1) / leaf : size / length;
    std::map<std::uint32_t, std::vector<Index>> by_pattern;
    std::set<std::vector<Index>> shapes;
    for (Index block = 0; block < blocks; ++block) {
      const Index begin = block * length;
      if (made.base(level, block) != value(begin)) return "the base of block " + std::to_string(block);
      std::vector<Index> shape;
      for (Index i = begin; i < begin + length; ++i) shape.push_back(value(std::min(i, size - 1)) - value(begin));
      const auto pattern = made.pattern(level, block);
      const auto [known, is_new] = by_pattern.try_emplace(pattern, shape);
      if (known->second != shape) return "two shapes have pattern " + std::to_string(pattern);
      shapes.insert(shape);
      const auto [low, high] = std::ranges::minmax(shape);
      const Bounds bounds = made.bounds(level, pattern);
      if (bounds.low != low || bounds.high != high) return "the bounds of pattern " + std::to_string(pattern);
      if (level == 0 && !std::equal(shape.begin(), shape.end(), made.values(pattern)))
        return "the values of pattern " + std::to_string(pattern);
    }
    if (shapes.size() != by_pattern.size()) return "a shape has two patterns at level " + std::to_string(level);
  }
  return {};
}

}  // namespace

class BlockPatternsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_line_is_one_pattern() {
    BoundNodes nodes({64, 64});
    const NodeId kv = nodes.kv();
    const auto made = BlockPatterns::make(nodes.program, {{-3, kv}}, true, {});
    QVERIFY(made);
    QCOMPARE(made->slope(), Index{-3});
    for (Index block = 0; block < 4; ++block) {
      QCOMPARE(made->pattern(0, block), std::uint32_t{0});
      QCOMPARE(made->base(0, block), -48 * block);
    }
    QCOMPARE(made->bounds(0, 0), (Bounds{-45, 0}));
    QCOMPARE(made->bounds(2, made->pattern(2, 0)), (Bounds{-189, 0}));
    QCOMPARE(made->bounds_over({0, 64}), (Bounds{-189, 0}));
  }

  void values_of_any_functions() {
    Random random(101);
    int made_of = 0;
    for (int i = 0; i < 250; ++i) {
      const bool of_keys = i % 2 == 0;
      const Index size = pick(random, 2, 400);
      BoundNodes nodes({of_keys ? 3 : size, of_keys ? size : 3});
      const NodeId x = of_keys ? nodes.kv() : nodes.q();
      std::vector<NodeId> all{x};
      for (int k = 0; k < 6; ++k) {
        const Op op = std::array{Op::floor_divide, Op::modulo, Op::bit_and, Op::bit_xor, Op::maximum, Op::subtract}
            [static_cast<std::size_t>(pick(random, 0, 5))];
        const NodeId other = pick(random, 0, 3) == 0 ? all.back() : nodes.constant(pick(random, 1, 40));
        all.push_back(nodes.number(op, all[static_cast<std::size_t>(pick(random, 0, k))], other));
      }
      all.push_back(nodes.element({5, 3, 3, 8, 1, 1, 1}, all.back()));
      const WeightedNodes weighted{{pick(random, -3, 3), all[5]}, {pick(random, 1, 2), all[7]}};
      const auto made = BlockPatterns::make(nodes.program, weighted, of_keys, {});
      QVERIFY(made);
      const auto value = [&](Index at) {
        Index sum = 0;
        for (const auto& [factor, id] : weighted) sum += factor * nodes.value(id, of_keys ? 0 : at, of_keys ? at : 0);
        return sum;
      };
      const auto wrong = patterns_differ(*made, size, value);
      QVERIFY2(wrong.empty(), ("function " + std::to_string(i) + ": " + wrong).c_str());
      ++made_of;
      for (int k = 0; k < 20; ++k) {
        const Index begin = pick(random, 0, size - 1), end = pick(random, begin + 1, size);
        const Bounds found = made->bounds_over({begin, end});
        for (Index at = begin; at < end; ++at) QVERIFY(found.low <= value(at) && value(at) <= found.high);
      }
      bool even = true;
      for (Index at = 2; at < size; ++at) even = even && value(at) - value(at - 1) == value(1) - value(0);
      QCOMPARE(made->slope().has_value(), even);
      if (even) QCOMPARE(*made->slope(), value(1) - value(0));
    }
    QCOMPARE(made_of, 250);
  }

  void one_index_alone_has_no_slope() {
    BoundNodes nodes({1, 1});
    const NodeId kv = nodes.kv();
    const auto made = BlockPatterns::make(nodes.program, {{1, kv}}, true, {});
    QVERIFY(made && !made->slope());
    QCOMPARE(made->base(0, 0), Index{0});
    QCOMPARE(made->bounds(0, 0), (Bounds{0, 0}));
  }

  /// An eighth of the blocks may have patterns of their own, and a thousand in any case.
  void too_many_patterns_are_none() {
    const auto make = [](Index size) {
      BoundNodes nodes({1, size});
      std::vector<Index> values;
      Random random(102);
      for (Index i = 0; i < size; ++i) values.push_back(pick(random, 0, 1000000));
      const NodeId element = nodes.element(values, nodes.kv());
      return BlockPatterns::make(nodes.program, {{1, element}}, true, {});
    };
    QVERIFY(make(1024 * leaf));
    QVERIFY(!make(1025 * leaf));
  }

  void large_values_and_a_stop_give_no_patterns() {
    BoundNodes nodes({4, 40});
    const NodeId kv = nodes.kv();
    const auto made = [&](Index offset) {
      const NodeId sum = nodes.number(Op::add, kv, nodes.constant(offset));
      return BlockPatterns::make(nodes.program, {{1, sum}}, true, {}) != nullptr;
    };
    QVERIFY(made(Index{1} << 39));
    QVERIFY(!made(Index{1} << 40));
    QVERIFY(!made(-(Index{1} << 40)));
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!BlockPatterns::make(nodes.program, {{1, kv}}, true, stop.get_token()));
  }
};

VQSCOPE_TEST(BlockPatternsTest)
#include "block_patterns_test.moc"
