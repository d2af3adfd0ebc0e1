// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cells/ranges.h"

#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>
#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

bool has(const std::vector<Range>& ranges, Index place) {
  return std::ranges::any_of(ranges, [&](const Range& range) { return range.contains(place); });
}

/// Some ranges below 30; appending joins those that touch.
std::vector<Range> random_ranges(Random& random) {
  std::vector<Range> ranges;
  for (Index begin = pick(random, 0, 4); begin < 30; begin += pick(random, 0, 5)) {
    const Range range{begin, pick(random, begin, std::min<Index>(30, begin + 6))};
    append_range(range, ranges);
    begin = range.end;
  }
  return ranges;
}

}  // namespace

class RangesTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void appended_ranges_are_joined_where_they_touch() {
    std::vector<Range> ranges;
    for (const Range range : {Range{1, 3}, Range{3, 3}, Range{3, 5}, Range{6, 7}}) append_range(range, ranges);
    QVERIFY((ranges == std::vector<Range>{{1, 5}, {6, 7}}));
    QCOMPARE(total_size(ranges), std::uint64_t{5});
  }

  void places_agree_with_the_definition() {
    Random random(1);
    for (int round = 0; round < 2000; ++round) {
      const auto a = random_ranges(random);
      const auto b = random_ranges(random);
      std::vector<Range> both;
      common_ranges(a, b, both);
      const Index begin = pick(random, 0, 30);
      const Range to{begin, pick(random, begin, 31)};
      auto clipped = a;
      clip(clipped, to);
      std::uint64_t size = 0;
      for (Index place = 0; place < 32; ++place) {
        QCOMPARE(has(both, place), has(a, place) && has(b, place));
        QCOMPARE(has(clipped, place), has(a, place) && to.contains(place));
        size += has(a, place) ? 1 : 0;
      }
      QCOMPARE(total_size(a), size);
    }
  }
};

VQSCOPE_TEST(RangesTest)
#include "ranges_test.moc"
