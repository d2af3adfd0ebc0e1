// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/evaluate/lane_operations.h"

#include "tests/core/mask/language/bound_nodes.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <array>
#include <numeric>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

template <class Int>
using Slot = std::array<Int, static_cast<std::size_t>(lane_count)>;

/// Numbers for which operations are most likely wrong, and any other number.
template <class Int>
Int any_number(Random& random, bool small) {
  const Index largest = std::numeric_limits<Int>::max();
  const std::array<Index, 8> edges{0, 1, -1, 2, 63, 64, largest, std::numeric_limits<Int>::min()};
  if (small) return static_cast<Int>(pick(random, -5, 8));
  if (pick(random, 0, 1) == 0) return static_cast<Int>(edges[static_cast<std::size_t>(pick(random, 0, 7))]);
  return static_cast<Int>(pick(random, std::numeric_limits<Int>::min(), largest));
}

/// Lanes of one width against the scalar definition. Those of 32 bits get only fitting numbers.
template <class Int>
std::string operation_differs(Random& random, Op op, bool small) {
  Slot<Int> a{}, b{}, made{};
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = any_number<Int>(random, small);
    b[i] = any_number<Int>(random, small);
  }
  integers(op, a.data(), b.data(), made.data());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Index wanted = evaluate(op, a[i], b[i], 0);
    const bool fits = wanted >= std::numeric_limits<Int>::min() && wanted <= std::numeric_limits<Int>::max();
    if (fits && made[i] != wanted)
      return "operation " + std::to_string(static_cast<int>(op)) + " of " + std::to_string(a[i]) + " and " +
             std::to_string(b[i]) + " is " + std::to_string(made[i]) + ", expected " + std::to_string(wanted);
  }
  return {};
}

template <class Int>
std::string comparison_differs(Random& random, Op op, bool small) {
  Slot<Int> a{}, b{};
  Slot<Bool> made{};
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = any_number<Int>(random, small);
    b[i] = pick(random, 0, 3) == 0 ? a[i] : any_number<Int>(random, small);
  }
  comparison(op, a.data(), b.data(), made.data());
  for (std::size_t i = 0; i < a.size(); ++i)
    if (made[i] != evaluate(op, a[i], b[i], 0))
      return "comparison " + std::to_string(static_cast<int>(op)) + " of " + std::to_string(a[i]) + " and " +
             std::to_string(b[i]);
  return {};
}

/// The lanes that are 1.
std::vector<Index> ones(const Slot<Bool>& slot) {
  std::vector<Index> found;
  for (std::size_t i = 0; i < slot.size(); ++i)
    if (slot[i] != 0) found.push_back(static_cast<Index>(i));
  return found;
}

}  // namespace

class LaneOperationsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void integers_of_both_widths_agree_with_the_definition() {
    Random random(1);
    for (int round = 0; round < 20; ++round)
      for (const Op op : integer_operations) {
        COMPARE_TEXT(operation_differs<Index>(random, op, round % 2 == 0), "");
        COMPARE_TEXT(operation_differs<std::int32_t>(random, op, round % 2 == 0), "");
      }
  }

  void comparisons_of_both_widths_agree_with_the_definition() {
    Random random(2);
    for (int round = 0; round < 20; ++round)
      for (const Op op : comparisons) {
        COMPARE_TEXT(comparison_differs<Index>(random, op, round % 2 == 0), "");
        COMPARE_TEXT(comparison_differs<std::int32_t>(random, op, round % 2 == 0), "");
      }
  }

  void truth_tables() {
    Slot<Bool> a{}, b{}, made{};
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = static_cast<Bool>(i / 2 % 2);
      b[i] = static_cast<Bool>(i % 2);
    }
    const auto first_four = [&](Op op) {
      logic(op, a.data(), b.data(), made.data());
      return std::array<int, 4>{made[0], made[1], made[2], made[3]};
    };
    QCOMPARE(first_four(Op::logical_and), (std::array<int, 4>{0, 0, 0, 1}));
    QCOMPARE(first_four(Op::logical_or), (std::array<int, 4>{0, 1, 1, 1}));
    QCOMPARE(first_four(Op::logical_xor), (std::array<int, 4>{0, 1, 1, 0}));
    QCOMPARE(first_four(Op::logical_not), (std::array<int, 4>{1, 1, 0, 0}));
  }

  void choose_takes_each_lane_from_one_side() {
    Slot<Bool> a{};
    Slot<Index> b{}, c{}, made{};
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = i % 3 == 0 ? 1 : 0;
      b[i] = static_cast<Index>(i);
      c[i] = -1;
    }
    choose(a.data(), b.data(), c.data(), made.data());
    for (std::size_t i = 0; i < a.size(); ++i) QCOMPARE(made[i], i % 3 == 0 ? static_cast<Index>(i) : -1);
  }

  void segments_are_clipped_to_the_lanes() {
    Slot<Bool> made{};
    const auto segment = [&](Index begin, Index end) {
      fill_segment(begin, end, made.data());
      return ones(made);
    };
    QCOMPARE(segment(3, 6), (std::vector<Index>{3, 4, 5}));
    QCOMPARE(segment(-9, 2), (std::vector<Index>{0, 1}));
    QCOMPARE(segment(254, 999), (std::vector<Index>{254, 255}));
    QVERIFY(segment(256, 300).empty());
    QVERIFY(segment(-5, 0).empty());
    // From right to left there is nothing.
    QVERIFY(segment(9, 4).empty());
    QCOMPARE(segment(-(Index{1} << 60), Index{1} << 60).size(), std::size_t{256});
  }

  void gather_gives_0_outside() {
    const BoundArray array(std::vector<Index>{7, 8, 9});
    Slot<std::int32_t> at{}, made{};
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = static_cast<std::int32_t>(i) - 2;
    gather(array, at.data(), made.data());
    QCOMPARE((std::vector<int>(made.begin(), made.begin() + 7)), (std::vector<int>{0, 0, 7, 8, 9, 0, 0}));
    at.fill(std::numeric_limits<std::int32_t>::min());
    gather(array, at.data(), made.data());
    QVERIFY(std::ranges::all_of(made, [](int value) { return value == 0; }));
  }

  /// For values, values in 32 bits and pieces; bytes beyond the array's end stay unchanged.
  void a_block_of_an_array_is_its_elements() {
    std::vector<Index> values(600);
    std::iota(values.begin(), values.end(), -20);
    for (std::size_t i = 300; i < 400; ++i) values[i] = 5;
    const BoundArray by_value(values);
    const auto view = by_value.pieces();
    const BoundArray by_piece(std::vector<ArrayPiece>(view.begin(), view.end()));
    const std::vector<std::int32_t> narrow(values.begin(), values.end());
    for (const Index begin : {0, 1, 100, 255, 299, 344, 345, 599}) {
      Slot<Index> wide{}, pieces{};
      Slot<std::int32_t> few{}, narrow_pieces{};
      for (auto* slot : {&wide, &pieces}) slot->fill(-777);
      for (auto* slot : {&few, &narrow_pieces}) slot->fill(-777);
      read_block(by_value, {}, begin, wide.data());
      read_block(by_piece, {}, begin, pieces.data());
      read_block(by_value, narrow, begin, few.data());
      read_block(by_piece, {}, begin, narrow_pieces.data());
      for (Index i = 0; i < lane_count; ++i) {
        const Index wanted = begin + i < 600 ? values[static_cast<std::size_t>(begin + i)] : -777;
        const auto lane = static_cast<std::size_t>(i);
        QCOMPARE(wide[lane], wanted);
        QCOMPARE(pieces[lane], wanted);
        QCOMPARE(Index{few[lane]}, wanted);
        QCOMPARE(Index{narrow_pieces[lane]}, wanted);
      }
    }
  }
};

VQSCOPE_TEST(LaneOperationsTest)
#include "lane_operations_test.moc"
