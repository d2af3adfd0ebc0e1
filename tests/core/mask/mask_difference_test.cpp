// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask_difference.h"

#include "tests/core/mask/mask_cases.h"
#include "tests/core/mask/row_mask.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::shared_ptr<const Mask> windowed(Index length, Index window = 0) {
  MaskCase made{*SequenceLayout::make({.q_length = length}), {"causal"}, 0, std::max<Index>(window, 1)};
  if (window > 0) made.terms.emplace_back("sliding_window");
  return made.mask();
}

/// Another case over the same extent.
MaskCase partner(Random& random, const MaskCase& c) {
  for (;;) {
    MaskCase other = random_case(random);
    if (other.layout.q_length() == c.layout.q_length() && other.layout.kv_length() == c.layout.kv_length())
      return other;
    SequenceInput input = random_input(random);
    input.q_length = c.layout.q_length();
    input.kv_length = c.layout.kv_length();
    input.past_len = pick(random, 0, input.kv_length - 1);
    input.query_source = QuerySource::own;
    input.padding = std::min(input.padding, input.kv_length - 1);
    input.document_lengths.clear();
    other.layout = *SequenceLayout::make(input);
    return other;
  }
}

/// Counts how often a row is read.
struct CountedRows : RowMask {
  using RowMask::RowMask;
  void row(Index q, std::vector<Range>& out) const override {
    ++reads;
    RowMask::row(q, out);
  }
  mutable Index reads = 0;
};

MaskComparison slow_difference(const Mask& a, const Mask& b) {
  MaskComparison all;
  for (Index q = 0; q < a.extent().rows; ++q)
    for (Index kv = 0; kv < a.extent().cols; ++kv) {
      if (a.visible(q, kv) == b.visible(q, kv)) continue;
      if (!all.first) all.first_sees = a.visible(q, kv);
      if (!all.first) all.first = {q, kv};
      ++(a.visible(q, kv) ? all.only_first : all.only_second);
    }
  return all;
}

}  // namespace

class MaskDifferenceTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    // The last four of six queries miss 1, 2, 3, 4 keys through the window of 2.
    const auto difference = compare_masks(*windowed(6), *windowed(6, 2)).value();
    QCOMPARE(difference.only_first, std::uint64_t{10});
    QCOMPARE(difference.only_second, std::uint64_t{0});
    QVERIFY((difference.first == MaskCell{2, 0}));
    COMPARE_TEXT(difference.sentence(),
                 "10 cells visible only in the first, 0 cells only in the second; the first that differs is query 2, "
                 "key 0, visible only in the first");
    COMPARE_TEXT(compare_masks(*windowed(6), *windowed(6)).value().sentence(), "the masks are equal");
  }

  void extents_must_be_equal() {
    COMPARE_ERROR(compare_masks(*windowed(6), *windowed(7)),
                  "the first mask is 6 × 6 (queries × keys) and the second 7 × 7 (queries × keys), masks of one "
                  "extent are compared");
  }

  void counts_and_first_cell_agree_with_all_cells() {
    Random random(2);
    for (int i = 0; i < 1500; ++i) {
      const MaskCase c = random_case(random);
      std::shared_ptr<const Mask> a = c.mask();
      std::shared_ptr<const Mask> b = partner(random, c).mask();
      if (i % 3 == 0) b = std::make_shared<RowMask>(*b);
      if (i % 6 == 0) a = std::make_shared<RowMask>(*a);
      const auto got = compare_masks(*a, *b).value();
      const auto wanted = slow_difference(*a, *b);
      QCOMPARE(got.only_first, wanted.only_first);
      QCOMPARE(got.only_second, wanted.only_second);
      QVERIFY(got.first == wanted.first && got.first_sees == wanted.first_sees);
    }
  }

  /// Reading a mask without bands is expensive.
  void rows_are_read_once() {
    const CountedRows a(*windowed(900));
    const CountedRows b(*windowed(900, 3));
    QVERIFY(!compare_masks(a, b)->equal());
    QCOMPARE(a.reads, Index{900});
    QCOMPARE(b.reads, Index{900});
  }

  void exact_at_two_million() {
    const Index T = Index{1} << 21;
    const auto n = static_cast<std::uint64_t>(T);
    const auto difference = compare_masks(*windowed(T, 512), *windowed(T)).value();
    QCOMPARE(difference.only_first, std::uint64_t{0});
    QCOMPARE(difference.only_second, (n - 512) * (n - 511) / 2);
    QVERIFY((difference.first == MaskCell{512, 0} && !difference.first_sees));
    const auto one = compare_masks(*windowed(T, 512), *windowed(T, 513)).value();
    QCOMPARE(one.only_second, n - 512);
  }

  void the_largest_masks() {
    const auto layout = *SequenceLayout::make({.q_length = Index{1} << 31, .past_len = Index{1} << 31});
    const auto difference = compare_masks(*MaskCase{layout, {}}.mask(), *MaskCase{layout, {"causal"}}.mask()).value();
    const std::uint64_t n = std::uint64_t{1} << 31;
    QCOMPARE(difference.only_first, n / 2 * (n - 1));
  }

  void progress_and_stop() {
    double last = 0;
    QVERIFY(compare_masks(*windowed(1000), *windowed(1000, 3), {.progress = [&](double done) { last = done; }}));
    QCOMPARE(last, 1.0);
    std::stop_source source;
    source.request_stop();
    const auto stopped = compare_masks(*windowed(9), *windowed(9), {.stop = source.get_token()});
    QVERIFY(!stopped && stopped.error().code == Errc::cancelled);
  }
};

VQSCOPE_TEST(MaskDifferenceTest)
#include "mask_difference_test.moc"
