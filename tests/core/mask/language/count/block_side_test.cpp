// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/count/block_walk.h"

#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

using Side = std::tuple<int, Index, Range>;

std::vector<Side> sides_of(Range range) {
  std::vector<Side> all;
  for (const BlockSide& side : BlockSides(range)) all.emplace_back(side.level, side.block, side.used);
  return all;
}

}  // namespace

class BlockSideTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void ranges_by_hand() {
    QVERIFY(sides_of({5, 5}).empty());
    QCOMPARE(sides_of({0, 16}), (std::vector<Side>{{0, 0, {0, 16}}}));
    QCOMPARE(sides_of({3, 9}), (std::vector<Side>{{0, 0, {3, 9}}}));
    // Up to the next block, whole blocks of growing size, and a rest.
    QCOMPARE(
        sides_of({10, 101}),
        (std::vector<Side>{{0, 0, {10, 16}}, {0, 1, {16, 32}}, {1, 1, {32, 64}}, {1, 2, {64, 96}}, {0, 6, {96, 101}}}));
    QCOMPARE(sides_of({0, 128}), (std::vector<Side>{{3, 0, {0, 128}}}));
  }

  void halves() {
    const BlockSide whole{2, 3, {192, 256}};
    QVERIFY(whole.is_whole());
    QCOMPARE(whole.begin(), Index{192});
    const BlockSide left = whole.half(0), right = whole.half(1);
    QCOMPARE((Side{left.level, left.block, left.used}), (Side{1, 6, {192, 224}}));
    QCOMPARE((Side{right.level, right.block, right.used}), (Side{1, 7, {224, 256}}));
    QVERIFY(left.is_whole() && right.is_whole());
    QVERIFY(!(BlockSide{0, 1, {16, 31}}).is_whole());
  }

  /// One after the other, each within its block, whole unless it is one of the smallest; two of
  /// each size at most.
  void sides_make_up_any_range() {
    Random random(1);
    for (int i = 0; i < 4000; ++i) {
      const Index most = Index{1} << pick(random, 1, i % 10 == 0 ? 61 : 22);
      const Index begin = pick(random, 0, most - 1);
      const Range range{begin, pick(random, begin, most)};
      const BlockSides sides(range);
      QVERIFY(sides.count <= sides.all.size());
      Index at = range.begin;
      std::array<int, 64> of_level{};
      for (const BlockSide& side : sides) {
        QCOMPARE(side.used.begin, at);
        at = side.used.end;
        QVERIFY(side.used.size() > 0 && side.used.begin >= side.begin());
        QVERIFY(side.used.end <= side.begin() + (BlockPatterns::leaf << side.level));
        QVERIFY(side.level == 0 || side.is_whole());
        ++of_level[static_cast<std::size_t>(side.level)];
      }
      QCOMPARE(at, range.size() == 0 ? range.begin : range.end);
      // Of the smallest there are the two ends as well.
      for (std::size_t level = 0; level < of_level.size(); ++level) QVERIFY(of_level[level] <= (level == 0 ? 4 : 2));
    }
  }
};

VQSCOPE_TEST(BlockSideTest)
#include "block_side_test.moc"
