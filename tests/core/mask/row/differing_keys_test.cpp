// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/row/differing_keys.h"

#include "core/sequence/sequence_layout.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::shared_ptr<const Mask> window(Index length, Index keys) {
  return MaskCase{*SequenceLayout::make({.q_length = length}), {"causal", "sliding_window"}, 0, keys}.mask();
}

}  // namespace

class DifferingKeysTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void keys_that_one_row_sees() {
    QCOMPARE(differing_keys(std::vector<Range>{{0, 4}, {6, 9}}, std::vector<Range>{{2, 7}}),
             (std::vector<Range>{{0, 2}, {4, 6}, {7, 9}}));
    QCOMPARE(differing_keys(std::vector<Range>{{0, 4}}, std::vector<Range>{{4, 8}}),
             (std::vector<Range>{{0, 4}, {4, 8}}));
    QVERIFY(differing_keys(std::vector<Range>{{1, 3}}, std::vector<Range>{{1, 3}}).empty());
  }

  /// A window of three keys against one of two: one key of each row from the third on.
  void runs_are_found_in_both_directions() {
    const auto wide = window(6, 3), narrow = window(6, 2);
    std::vector<std::pair<Index, Index>> forwards, backwards;
    MaskCell at{-1, 0};
    while (const auto next = *next_differing_run(*wide, *narrow, at, true)) {
      at = *next;
      forwards.emplace_back(at.q, at.kv);
    }
    QCOMPARE(forwards, (std::vector<std::pair<Index, Index>>{{2, 0}, {3, 1}, {4, 2}, {5, 3}}));
    at = {6, 0};
    while (const auto next = *next_differing_run(*wide, *narrow, at, false)) {
      at = *next;
      backwards.emplace_back(at.q, at.kv);
    }
    std::ranges::reverse(backwards);
    QCOMPARE(backwards, forwards);
  }
};

VQSCOPE_TEST(DifferingKeysTest)
#include "differing_keys_test.moc"
