// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/xl_segments.h"

#include "tests/core/sequence/xl_recurrence.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr XlSegments by_fours{.length = 24, .segment_len = 4, .memory_len = 4, .layers = 3};

/// All that is true in a row, which must be one range.
Range range_of(const std::vector<bool>& row) {
  const auto first = std::find(row.begin(), row.end(), true);
  const auto end = std::find(first, row.end(), false);
  [&] { QVERIFY2(std::find(end, row.end(), true) == row.end(), "two ranges"); }();
  return {first - row.begin(), end - row.begin()};
}

}  // namespace

class XlSegmentsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The article's example: segments of four tokens, the memory the segment before.
  void a_layer_sees_two_segments() {
    QCOMPARE(by_fours.visible(2), (Range{0, 3}));
    QCOMPARE(by_fours.visible(9), (Range{4, 10}));
    QVERIFY(by_fours.sees(9, 4));
    QVERIFY(!by_fours.sees(9, 3));
    QVERIFY(!by_fours.sees(9, 10));
  }

  /// Each layer adds a segment: the last token of a segment reads (L + 1) n tokens.
  void layers_add_segments() {
    QCOMPARE(by_fours.reach(23, 0), (Range{23, 24}));
    QCOMPARE(by_fours.reach(23, 1), (Range{16, 24}));
    QCOMPARE(by_fours.reach(23, 2), (Range{12, 24}));
    QCOMPARE(by_fours.reach(23, 3), (Range{8, 24}));
    QCOMPARE(by_fours.dependency_length(), Index{16});
    QCOMPARE(by_fours.learnt(22), (Range{20, 23}));
  }

  /// Covering N tokens takes L >= N / n - 1 layers beside the own segment: 6 segments are read from
  /// layer 5 on.
  void layers_to_read_all() {
    QCOMPARE(by_fours.first_layer(23, 0), Index{5});
    QCOMPARE(by_fours.first_layer(23, 20), Index{1});
    QCOMPARE(by_fours.first_layer(20, 23), Index{0});
  }

  void the_path_goes_through_the_memories() {
    QCOMPARE(by_fours.path(22, 9), (std::vector<XlHop>{{3, 22}, {2, 16}, {1, 12}, {0, 9}}));
    QCOMPARE(by_fours.path(22, 22), (std::vector<XlHop>{{1, 22}, {0, 22}}));
    QVERIFY(by_fours.path(3, 4).empty());
  }

  /// With a memory of six, the query at 12 reads 6, whose segment begins at 4 and whose memory
  /// begins at 0.
  void a_memory_may_begin_within_a_segment() {
    XlSegments s = by_fours;
    s.memory_len = 6;
    QCOMPARE(s.visible(12), (Range{6, 13}));
    QCOMPARE(s.reach(12, 2), (Range{0, 13}));
    QCOMPARE(s.reach(23, 2), (Range{6, 24}));
    QCOMPARE(s.memory_stride(), Index{8});
  }

  void same_length_is_a_window() {
    XlSegments s = by_fours;
    s.same_length = true;
    QCOMPARE(s.visible(9), (Range{6, 10}));
    QCOMPARE(s.reach(23, 3), (Range{14, 24}));
    QCOMPARE(s.dependency_length(), Index{10});
    s.memory_len = 1;
    QCOMPARE(s.first_layer(9, 8), Index{0});
  }

  void without_a_memory_segments_are_apart() {
    XlSegments s = by_fours;
    s.memory_len = 0;
    QCOMPARE(s.reach(9, 3), (Range{8, 10}));
    QCOMPARE(s.first_layer(9, 7), Index{0});
    QVERIFY(s.path(9, 7).empty());
  }

  void visible_agrees_with_the_recurrence() {
    Random random(1);
    for (int i = 0; i < 300; ++i) {
      const XlSegments s = random_segments(random);
      const auto seen = seen_by_recurrence(s);
      for (Index q = 0; q < s.length; ++q) {
        const auto& row = seen[static_cast<std::size_t>(q)];
        QCOMPARE(s.visible(q), range_of(row));
        for (Index k = 0; k < s.length; ++k) QCOMPARE(s.sees(q, k), bool(row[static_cast<std::size_t>(k)]));
      }
    }
  }

  void reach_agrees_with_the_recurrence() {
    Random random(2);
    for (int i = 0; i < 150; ++i) {
      const XlSegments s = random_segments(random, 30);
      for (Index depth = 0; depth <= s.layers; ++depth) {
        const auto known = reached_by_recurrence(s, depth, false);
        for (Index q = 0; q < s.length; ++q) QCOMPARE(s.reach(q, depth), range_of(known[static_cast<std::size_t>(q)]));
      }
      const auto learnt = reached_by_recurrence(s, s.layers, true);
      for (Index q = 0; q < s.length; ++q) QCOMPARE(s.learnt(q), range_of(learnt[static_cast<std::size_t>(q)]));
    }
  }

  void first_layer_agrees_with_reach() {
    Random random(3);
    for (int i = 0; i < 300; ++i) {
      const XlSegments s = random_segments(random);
      for (Index q = 0; q < s.length; ++q)
        for (Index k = 0; k < s.length; ++k) {
          Index first = 1;
          while (first <= s.length && !s.reach(q, first).contains(k)) ++first;
          QCOMPARE(s.first_layer(q, k), first <= s.length ? first : Index{0});
        }
    }
  }

  void every_hop_of_a_path_is_seen() {
    Random random(4);
    for (int i = 0; i < 300; ++i) {
      const XlSegments s = random_segments(random);
      const Index q = pick(random, 0, s.length - 1), k = pick(random, 0, s.length - 1);
      const auto path = s.path(q, k);
      const Index depth = s.first_layer(q, k);
      QCOMPARE(static_cast<Index>(path.size()), depth > 0 ? depth + 1 : 0);
      if (path.empty()) continue;
      QCOMPARE(path.front(), (XlHop{depth, q}));
      QCOMPARE(path.back(), (XlHop{0, k}));
      for (std::size_t hop = 0; hop + 1 < path.size(); ++hop) {
        QVERIFY(s.sees(path[hop].position, path[hop + 1].position));
        QCOMPARE(path[hop + 1].layer, path[hop].layer - 1);
      }
    }
  }

  void dependency_length_is_the_longest_reach() {
    Random random(5);
    for (int i = 0; i < 300; ++i) {
      XlSegments s = random_segments(random);
      s.length = 400;  // longer than 6 layers of at most 24 + 20 tokens
      Index longest = 0;
      for (Index q = 0; q < s.length; ++q) longest = std::max(longest, s.reach(q, s.layers).size());
      QCOMPARE(s.dependency_length(), longest);
    }
  }

  void sizes_are_refused() {
    XlSegments s = by_fours;
    s.segment_len = 0;
    COMPARE_ERROR(s.check(), "segment_len is 0 but must be 1 to 24, the number of tokens");
    s.segment_len = 25;
    COMPARE_ERROR(s.check(), "segment_len is 25 but must be 1 to 24, the number of tokens");
    s = by_fours;
    s.memory_len = -1;
    COMPARE_ERROR(s.check(), "memory_len is -1 but must be 0 or more");
    s.memory_len = 0;
    QVERIFY(s.check());
    s.same_length = true;
    COMPARE_ERROR(s.check(), "memory_len is 0 but must be at least 1 with same_length: no query would see a key");
    s = by_fours;
    s.layers = 0;
    COMPARE_ERROR(s.check(), "layers is 0 but must be at least 1");
    s = by_fours;
    s.clamp_len = -1;
    COMPARE_ERROR(s.check(), "clamp_len is -1 but must be 0 or more");
  }
};

VQSCOPE_TEST(XlSegmentsTest)
#include "xl_segments_test.moc"
