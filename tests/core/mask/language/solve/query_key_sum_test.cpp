// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/query_key_sum.h"

#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

constexpr Index limit = Index{1} << 60;

/// Sums of single pieces.
Part part_of(Pieces pieces) {
  Bounds bounds{limit, -limit};
  for (const ArrayPiece& piece : pieces)
    for (const Index value : {piece.first, piece.last()})
      bounds = {std::min(bounds.low, value), std::max(bounds.high, value)};
  return {std::make_shared<Pieces>(std::move(pieces)), 1, 0, bounds};
}

Index at(const Part& part, Index x) {
  if (part.is_constant()) return part.offset;
  const ArrayPiece& piece = (*part.pieces)[piece_at(*part.pieces, x)];
  return part.first(piece) + part.slope(piece) * (x - piece.range.begin) + part.offset;
}

}  // namespace

class QueryKeySumTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void parts_by_hand() {
    const Part seven = constant_part(7);
    QVERIFY(seven.is_constant() && seven.is_line());
    QCOMPARE(seven.bounds, (Bounds{7, 7}));
    QVERIFY((Sum{seven, constant_part(-2)}).is_constant());
    const Part line = part_of({{{0, 10}, 3, 1}});
    QVERIFY(!line.is_constant() && line.is_line() && !line.is_stepwise());
    const Part stairs = part_of({{{0, 5}, 1, 0}, {{5, 10}, 2, 0}});
    QVERIFY(!stairs.is_line() && stairs.is_stepwise());
    QVERIFY(!(Sum{seven, stairs}).is_constant());
  }

  void one_index_alone_has_no_slope() {
    Part part = part_of({{{0, 1}, 4, 1}, {{1, 3}, 9, 1}});
    QVERIFY(scale(part, -2));
    QCOMPARE(part.slope((*part.pieces)[0]), Index{0});
    QCOMPARE(part.slope((*part.pieces)[1]), Index{-2});
    QCOMPARE(part.first((*part.pieces)[1]), Index{-18});
  }

  void values_and_bounds_move_together() {
    Random random(1);
    for (int i = 0; i < 500; ++i) {
      Part part = part_of({{{0, 6}, pick(random, -9, 9), pick(random, -1, 1)}, {{6, 12}, pick(random, -9, 9), 0}});
      const Part before = part;
      const Index factor = pick(random, -4, 4), by = pick(random, -50, 50);
      QVERIFY(scale(part, factor) && shift(part, by));
      for (Index x = 0; x < 12; ++x) {
        QCOMPARE(at(part, x), factor * at(before, x) + by);
        QVERIFY(part.bounds.low <= at(part, x) && at(part, x) <= part.bounds.high);
      }
      Part sum = part;
      const Part other =
          part_of({{{0, 4}, pick(random, -9, 9), 1}, {{4, 12}, pick(random, -9, 9), pick(random, -1, 1)}});
      QVERIFY(add_pieces(sum, other));
      for (Index x = 0; x < 12; ++x) {
        QCOMPARE(at(sum, x), at(part, x) + at(other, x));
        QVERIFY(sum.bounds.low <= at(sum, x) && at(sum, x) <= sum.bounds.high);
      }
    }
  }

  void parts_that_cancel_are_a_constant() {
    Part sum = part_of({{{0, 9}, 2, 1}});
    QVERIFY(shift(sum, 5));
    Part other = part_of({{{0, 9}, 2, 1}});
    QVERIFY(scale(other, -1));
    QVERIFY(add_pieces(sum, other));
    QVERIFY(sum.is_constant());
    QCOMPARE(sum.offset, Index{5});
    QCOMPARE(sum.bounds, (Bounds{5, 5}));
  }

  void both_parts_of_a_sum_are_scaled() {
    Sum sum{part_of({{{0, 4}, 0, 1}}), constant_part(3)};
    QVERIFY(scale(sum, -2));
    QCOMPARE(at(sum.f, 3), Index{-6});
    QCOMPARE(sum.g.offset, Index{-6});
  }

  void large_numbers_are_refused() {
    const auto shifted = [](Index value, Index by) {
      Part part = constant_part(value);
      return shift(part, by);
    };
    QVERIFY(shifted(limit - 2, 1));
    QVERIFY(!shifted(limit - 1, 1));
    QVERIFY(shifted(-limit + 2, -1));
    QVERIFY(!shifted(-limit + 1, -1));
    QVERIFY(!shifted(1, std::numeric_limits<Index>::max()));
    QVERIFY(!shifted(-2, std::numeric_limits<Index>::min()));
    const auto scaled = [](Index value, Index factor) {
      Part part = constant_part(value);
      return scale(part, factor);
    };
    QVERIFY(scaled((Index{1} << 30) - 1, Index{1} << 30));
    QVERIFY(!scaled(Index{1} << 30, Index{1} << 30));
    QVERIFY(!scaled(Index{1} << 40, Index{1} << 40));
    QVERIFY(!scaled(-1, std::numeric_limits<Index>::min()));
    // The factor itself, though every value is 0.
    Part zero = part_of({{{0, 3}, 0, 0}});
    QVERIFY(!scale(zero, limit));
  }

  void sums_of_pieces_beyond_the_limit_are_refused() {
    Part sum = part_of({{{0, 3}, limit - 5, 1}});
    QVERIFY(!add_pieces(sum, part_of({{{0, 3}, 3, 1}})));
    Part low = part_of({{{0, 3}, -limit + 5, 0}, {{3, 4}, 0, 0}});
    QVERIFY(!add_pieces(low, part_of({{{0, 3}, -9, 0}, {{3, 4}, 0, 0}})));
  }
};

VQSCOPE_TEST(QueryKeySumTest)
#include "query_key_sum_test.moc"
