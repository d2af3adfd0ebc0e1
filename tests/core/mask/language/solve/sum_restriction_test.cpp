// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/sum_restriction.h"

#include "tests/core/mask/language/bound_text.h"
#include "tests/core/mask/language/solve/sum_at.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

Part restricted_part(Pieces pieces) {
  constexpr Index limit = Index{1} << 59;
  return {std::make_shared<Pieces>(std::move(pieces)), 1, 0, {-limit, limit}};
}

/// Where a sum is at most, or just, a number, against each cell.
std::string restricted_differs(const Sum& sum, Relation relation, Index limit, const CellSet& within, Extent extent) {
  RegionWork work({1 << 24, {}});
  SumRestriction restriction(work);
  const CellSet found = restriction.restricted(sum, relation, limit, within);
  if (work.failed()) return "it failed";
  return region_differs(found, within, extent, [&](Index q, Index kv) {
    const Index value = sum_at(sum.f, q) + sum_at(sum.g, kv);
    return relation == Relation::equal ? value == limit : value <= limit;
  });
}

/// Pieces of some slopes, which are all of one sign or 0.
Part random_part(Random& random, Index size, std::initializer_list<Index> slopes, Index scatter) {
  Pieces pieces;
  for (Index begin = 0; begin < size;) {
    const Index end = pick(random, begin + 1, std::min(size, begin + 9));
    const Index slope = slopes.begin()[pick(random, 0, static_cast<Index>(slopes.size()) - 1)];
    pieces.push_back({{begin, end}, pick(random, -scatter, scatter), end - begin == 1 ? 0 : slope});
    begin = end;
  }
  return restricted_part(std::move(pieces));
}

}  // namespace

class SumRestrictionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_diagonal_by_hand() {
    const Sum behind{restricted_part({{{0, 5}, 0, 1}}), restricted_part({{{0, 5}, 0, -1}})};
    RegionWork work({1000, {}});
    SumRestriction restriction(work);
    const CellSet diagonal = restriction.restricted(behind, Relation::equal, 2, whole_of({5, 5}));
    std::vector<Range> row;
    vqscope::row_of(diagonal, 1, row);
    QVERIFY(row.empty());
    vqscope::row_of(diagonal, 4, row);
    QCOMPARE(row, (std::vector<Range>{{2, 3}}));
    QCOMPARE(diagonal.size(), std::size_t{1});
  }

  void constants_select_all_or_no_cells() {
    const Sum seven{constant_part(4), constant_part(3)};
    RegionWork work({1000, {}});
    SumRestriction restriction(work);
    const CellSet all = whole_of({3, 3});
    QCOMPARE(restriction.restricted(seven, Relation::equal, 7, all).size(), std::size_t{1});
    QVERIFY(restriction.restricted(seven, Relation::equal, 8, all).is_empty());
    QVERIFY(!restriction.restricted(seven, Relation::at_most, 8, all).is_empty());
    QVERIFY(!restriction.restricted(seven, Relation::at_most, 7, all).is_empty());
    QVERIFY(restriction.restricted(seven, Relation::at_most, 6, all).is_empty());
  }

  /// The query alone, the key alone, what stands still on both sides, and lines that move alike.
  void sums_of_any_pieces() {
    Random random(51);
    const Extent extent{26, 33};
    for (int i = 0; i < 2500; ++i) {
      const Index scatter = i % 2 == 0 ? 3 : 20;
      Sum sum;
      switch (i % 6) {
        case 0:
          sum = {random_part(random, extent.rows, {0, 1, -2}, scatter), constant_part(pick(random, -3, 3))};
          break;
        case 1:
          sum = {constant_part(pick(random, -3, 3)), random_part(random, extent.cols, {0, 1, -2}, scatter)};
          break;
        case 2:
          sum = {random_part(random, extent.rows, {0}, scatter), random_part(random, extent.cols, {0}, scatter)};
          break;
        case 3:
          sum = {random_part(random, extent.rows, {0, 1}, scatter), random_part(random, extent.cols, {0, -1}, scatter)};
          break;
        case 4:
          sum = {random_part(random, extent.rows, {0, -3}, scatter), random_part(random, extent.cols, {0, 3}, scatter)};
          break;
        default:
          sum = {random_part(random, extent.rows, {0}, scatter), random_part(random, extent.cols, {0, 1, 2}, scatter)};
      }
      if (pick(random, 0, 1) == 0) QVERIFY(scale(sum, -1));
      QVERIFY(shift(sum.f, pick(random, -5, 5)));
      const Relation relation = pick(random, 0, 1) == 0 ? Relation::equal : Relation::at_most;
      const CellSet within = i % 3 == 0 ? whole_of(extent) : random_region(random, extent);
      const auto wrong = restricted_differs(sum, relation, pick(random, -12, 12), within, extent);
      QVERIFY2(wrong.empty(), ("sum " + std::to_string(i) + ": " + wrong).c_str());
    }
  }

  /// Stairs that only rise or only fall are one interval a step.
  void stairs() {
    for (const Index sign : {1, -1}) {
      Pieces queries, keys;
      for (Index i = 0; i < 8; ++i) {
        queries.push_back({{3 * i, 3 * i + 3}, i, 0});
        keys.push_back({{4 * i, 4 * i + 4}, -i, 0});
      }
      Sum sum{restricted_part(queries), restricted_part(keys)};
      QVERIFY(scale(sum, sign));
      for (Index limit = -9; limit <= 9; ++limit)
        COMPARE_TEXT(restricted_differs(sum, Relation::at_most, limit, whole_of({24, 32}), {24, 32}), "");
      RegionWork work({1000, {}});
      const CellSet half = SumRestriction(work).restricted(sum, Relation::at_most, 0, whole_of({24, 32}));
      QCOMPARE(half.size(), std::size_t{8});
    }
  }

  void limits_as_large_as_64_bits_are() {
    Random random(52);
    const Extent extent{9, 9};
    for (const Index offset : {0, 5, -5})
      for (const Relation relation : {Relation::equal, Relation::at_most})
        for (const Index limit : {std::numeric_limits<Index>::max(), std::numeric_limits<Index>::min(), Index{1} << 61,
                                  -(Index{1} << 61), (Index{1} << 61) - 1}) {
          Sum sum{restricted_part({{{0, 9}, 0, 1}}), restricted_part({{{0, 9}, 0, -1}})};
          QVERIFY(shift(sum.f, offset));
          COMPARE_TEXT(restricted_differs(sum, relation, limit, whole_of(extent), extent), "");
          Sum by_row{sum.f, constant_part(3)}, by_column{constant_part(-3), sum.g};
          COMPARE_TEXT(restricted_differs(by_row, relation, limit, random_region(random, extent), extent), "");
          COMPARE_TEXT(restricted_differs(by_column, relation, limit, random_region(random, extent), extent), "");
        }
  }

  /// An end of such an interval would not move along with the row.
  void slopes_that_differ_fail() {
    for (const auto& [f, g] : std::initializer_list<std::pair<Index, Index>>{{1, 1}, {2, -1}, {1, -2}}) {
      RegionWork work({100000, {}});
      const Sum sum{restricted_part({{{0, 9}, 0, f}}), restricted_part({{{0, 9}, 0, g}})};
      QVERIFY(SumRestriction(work).restricted(sum, Relation::at_most, 3, whole_of({9, 9})).is_empty());
      QVERIFY(work.failed());
    }
  }

  void a_budget_ends_it() {
    Random random(53);
    const Sum sum{random_part(random, 200, {0, 1}, 50), random_part(random, 200, {0, -1}, 50)};
    RegionWork work({40, {}});
    QVERIFY(SumRestriction(work).restricted(sum, Relation::at_most, 3, whole_of({200, 200})).is_empty());
    QVERIFY(work.failed());
    // And nothing is begun after that.
    QVERIFY(SumRestriction(work).restricted(sum, Relation::at_most, 3, whole_of({200, 200})).is_empty());
  }
};

VQSCOPE_TEST(SumRestrictionTest)
#include "sum_restriction_test.moc"
