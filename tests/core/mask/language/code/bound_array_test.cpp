// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/code/bound_array.h"

#include "core/base/text.h"
#include "core/mask/language/solve/piecewise.h"
#include "tests/core/mask/language/index_limits.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

/// Stretches that stand, climb, or jump.
std::vector<Index> random_values(Random& random, Index length) {
  std::vector<Index> values;
  while (static_cast<Index>(values.size()) < length) {
    const Index slope = pick(random, 0, 2);
    Index value = pick(random, -20, 20);
    for (Index left = pick(random, 1, 6); left > 0; --left, value += slope) values.push_back(value);
  }
  values.resize(static_cast<std::size_t>(length));
  return values;
}

std::string pieces_of(const BoundArray& array) {
  std::string text;
  for (const ArrayPiece& piece : array.pieces())
    text += to_text(piece.range.begin) + ":" + to_text(piece.first) + (piece.slope ? "/ " : "- ");
  return text;
}

/// The t of [0, count) for which `holds`, which is a segment.
template <class Holds>
Range segment_where(Index count, const Holds& holds) {
  Range found{0, 0};
  for (Index t = 0; t < count; ++t) {
    if (!holds(t)) continue;
    if (found.size() == 0) found = {t, t};
    found.end = t + 1;
  }
  return found;
}

}  // namespace

class BoundArrayTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void pieces_by_hand() {
    QCOMPARE(pieces_of(BoundArray(std::vector<Index>{})), std::string());
    QCOMPARE(pieces_of(BoundArray(std::vector<Index>{7})), std::string("0:7- "));
    QCOMPARE(pieces_of(BoundArray(std::vector<Index>{0, 0, 0, 1, 1})), std::string("0:0- 3:1- "));
    QCOMPARE(pieces_of(BoundArray(std::vector<Index>{5, 6, 7, 7, 7, 0})), std::string("0:5/ 2:7- 5:0- "));
    QCOMPARE(pieces_of(BoundArray(std::vector<Index>{0, 1, 2, 0, 1})), std::string("0:0/ 3:0/ "));
    // The highest number has none that follows.
    QCOMPARE(pieces_of(BoundArray(std::vector<Index>{highest_index, lowest_index})),
             "0:" + to_text(highest_index) + "- 1:" + to_text(lowest_index) + "- ");
  }

  void values_and_bounds_agree_with_the_given_array() {
    Random random(1);
    for (int round = 0; round < 300; ++round) {
      const auto values = random_values(random, pick(random, 1, round % 3 == 0 ? 2000 : 40));
      const auto length = static_cast<Index>(values.size());
      const BoundArray array(values);
      const BoundArray of_pieces(std::vector<ArrayPiece>(array.pieces().begin(), array.pieces().end()));
      QCOMPARE(array.size(), length);
      QCOMPARE(of_pieces.size(), length);
      for (Index i = 0; i < length; ++i) {
        QCOMPARE(array.at(i), values[static_cast<std::size_t>(i)]);
        QCOMPARE(of_pieces.at(i), values[static_cast<std::size_t>(i)]);
        QVERIFY(array.pieces()[array.piece_index(i)].range.contains(i));
      }
      for (int look = 0; look < 20; ++look) {
        const Index begin = pick(random, 0, length - 1);
        const Index end = pick(random, begin + 1, length);
        const auto [low, high] = std::minmax_element(values.begin() + begin, values.begin() + end);
        QVERIFY((array.bounds({begin, end}) == Bounds{*low, *high}));
      }
    }
  }

  void where_a_line_is_at_most_or_equal() {
    Random random(2);
    for (int round = 0; round < 5000; ++round) {
      const Index first = pick(random, -20, 20);
      const Index slope = pick(random, -4, 4);
      const Index count = pick(random, 0, 12);
      const Index limit = pick(random, -30, 30);
      const auto value = [&](Index t) { return first + slope * t; };
      const Range below = where_at_most(first, slope, count, limit);
      const Range below_wanted = segment_where(count, [&](Index t) { return value(t) <= limit; });
      QVERIFY(below == below_wanted || (below.size() == 0 && below_wanted.size() == 0));
      const Range equal = where_equal(first, slope, count, limit);
      const Range equal_wanted = segment_where(count, [&](Index t) { return value(t) == limit; });
      QVERIFY(equal == equal_wanted || (equal.size() == 0 && equal_wanted.size() == 0));
    }
  }

  void lines_at_the_ends_of_64_bits() {
    QVERIFY((where_at_most(lowest_index, 1, 5, highest_index) == Range{0, 5}));
    QCOMPARE(where_at_most(highest_index, -1, 5, lowest_index).size(), Index{0});
    QVERIFY((where_equal(lowest_index, 1, highest_index, 0).size() == 0));
    QVERIFY((where_equal(lowest_index, 2, highest_index, 0) == Range{Index{1} << 62, (Index{1} << 62) + 1}));
  }
};

VQSCOPE_TEST(BoundArrayTest)
#include "bound_array_test.moc"
