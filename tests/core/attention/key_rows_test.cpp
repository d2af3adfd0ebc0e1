// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/tensor_view.h"

#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Flags = std::vector<std::uint8_t>;

/// Scores 1 of the keys, "x" where they were hidden and "." where not.
std::string hidden(const std::vector<Range>& visible, Range keys) {
  std::vector<float> scores(static_cast<std::size_t>(keys.size()), 1.0F);
  hide_others(visible, keys, scores.data());
  std::string text;
  for (const float score : scores) text += score == hidden_score ? 'x' : score == 1 ? '.' : '?';
  return text;
}

}  // namespace

class KeyRowsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void keys_outside_the_ranges_are_hidden() {
    COMPARE_TEXT(hidden({{0, 6}}, {0, 6}), "......");
    COMPARE_TEXT(hidden({}, {0, 6}), "xxxxxx");
    COMPARE_TEXT(hidden({{2, 4}}, {0, 6}), "xx..xx");
    COMPARE_TEXT(hidden({{0, 1}, {3, 4}, {5, 6}}, {0, 6}), ".xx.x.");
  }

  void ranges_may_begin_before_and_end_behind_the_keys() {
    COMPARE_TEXT(hidden({{0, 12}}, {4, 8}), "....");
    COMPARE_TEXT(hidden({{0, 5}, {7, 90}}, {4, 8}), ".xx.");
    COMPARE_TEXT(hidden({{0, 3}}, {4, 8}), "xxxx");
    COMPARE_TEXT(hidden({{9, 12}}, {4, 8}), "xxxx");
    COMPARE_TEXT(hidden({{0, 3}, {5, 6}, {20, 30}}, {4, 8}), "x.xx");
  }

  void ranges_agree_with_single_cells() {
    Random random(1);
    for (int i = 0; i < 2'000; ++i) {
      std::vector<Range> visible;
      for (Index at = pick(random, 0, 4); visible.size() < 4; at += pick(random, 1, 5)) {
        const Index end = at + pick(random, 1, 4);
        visible.push_back({at, end});
        at = end;
      }
      const Index begin = pick(random, 0, 12);
      const Range keys{begin, begin + pick(random, 0, 14)};
      std::string wanted;
      for (Index key = keys.begin; key < keys.end; ++key)
        wanted += std::ranges::any_of(visible, [&](const Range& some) { return some.contains(key); }) ? '.' : 'x';
      COMPARE_TEXT(hidden(visible, keys), wanted);
    }
  }

  void any_hidden_finds_invalid_keys() {
    const Flags valid{1, 0, 1, 1};
    QVERIFY(any_hidden(valid, {0, 4}) && any_hidden(valid, {1, 2}));
    QVERIFY(!any_hidden(valid, {2, 4}) && !any_hidden(valid, {0, 1}) && !any_hidden(valid, {1, 1}));
    QVERIFY2(!any_hidden({}, {0, 4}), "no flags: all are valid");
  }

  /// A weight of 0 times NaN is NaN: the row must not be there.
  void rows_that_are_not_valid_become_0() {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> values{1, 2, nan, nan, 5, 6};
    const TensorView tensor{values, 1, 3, 2};
    Scratch scratch;
    const StridedMatrix some = visible_rows(tensor, 0, {0, 3}, Flags{1, 0, 1}, scratch);
    QCOMPARE(some.rows, Index{3});
    QCOMPARE(std::vector<float>(some.data, some.data + 6), (std::vector<float>{1, 2, 0, 0, 5, 6}));
    const StridedMatrix last = visible_rows(tensor, 0, {1, 3}, Flags{1, 0, 1}, scratch);
    QCOMPARE(std::vector<float>(last.data, last.data + 4), (std::vector<float>{0, 0, 5, 6}));
  }

  void rows_that_are_all_valid_are_not_copied() {
    const std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 8};
    const TensorView tensor{values, 2, 2, 2};
    Scratch scratch;
    QCOMPARE(visible_rows(tensor, 1, {0, 2}, {}, scratch).data, values.data() + 4);
    QCOMPARE(visible_rows(tensor, 1, {1, 2}, Flags{0, 1}, scratch).data, values.data() + 6);
  }

  void shapes_leave_out_a_single_head() {
    const std::vector<float> values(192 * 16);
    COMPARE_TEXT(shape_text({values, 2, 96, 16}), "[2, 96, 16]");
    COMPARE_TEXT(shape_text({values, 1, 96, 32}), "[96, 32]");
  }
};

VQSCOPE_TEST(KeyRowsTest)
#include "key_rows_test.moc"
