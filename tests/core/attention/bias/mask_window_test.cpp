// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/bias/mask_window.h"
#include "core/mask/language/plain_mask.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

WindowCheck window_of(const char* text, Index window, Index length) {
  return walk_mask(plain_mask(text, length).value(), window)->hypothesis;
}

}  // namespace

class MaskWindowTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void masks_constant_beyond_the_window_pass() {
    COMPARE_TEXT(window_of("q_idx - kv_idx <= 3", 3, 10).sentence,
                 "every query sees none of the keys beyond distance 3: the linear form is exact");
    COMPARE_TEXT(window_of("(q_idx - kv_idx != 2)", 3, 10).sentence,
                 "every query sees all of the keys beyond distance 3: the linear form is exact");
    COMPARE_TEXT(window_of("kv_idx > 2", 9, 10).sentence,
                 "no token is farther than 9 behind another: the linear form is exact");
  }

  void other_masks_do_not_pass() {
    const WindowCheck wider = window_of("q_idx - kv_idx <= 4", 3, 10);
    QVERIFY(!wider.constant && std::isinf(wider.largest));
    COMPARE_TEXT(wider.sentence,
                 "the mask is not constant beyond distance 3: query 5 sees 1 of the 2 keys there, and key 0 is the "
                 "nearest that it does not see; only the quadratic form is exact");
    COMPARE_TEXT(window_of("q_idx // 6 == kv_idx // 6", 3, 10).sentence,
                 "the mask is not constant beyond distance 3: query 4 sees all of the keys there, query 6 none; only "
                 "the quadratic form is exact");
    COMPARE_TEXT(window_of("kv_idx < 2", 3, 10).sentence,
                 "the mask is not constant beyond distance 3: query 6 sees 2 of the 3 keys there, and key 1 is the "
                 "nearest that it sees; only the quadratic form is exact");
  }

  /// The check agrees with a scan of every row and key.
  void against_the_definition() {
    for (const char* text : {"q_idx - kv_idx < 5", "q_idx - kv_idx > 5", "(q_idx + kv_idx) % 2 == 0", "q_idx % 4 == 0",
                             "kv_idx >= 3", "True", "False"})
      for (Index window = 0; window < 12; ++window) {
        const auto mask = plain_mask(text, 12).value();
        std::vector<bool> seen;
        for (Index q = 0; q < 12; ++q)
          for (Index kv = 0; kv < q - window; ++kv) seen.push_back(mask->visible(q, kv));
        const bool constant = std::equal(seen.begin() + (seen.empty() ? 0 : 1), seen.end(), seen.begin());
        QCOMPARE(walk_mask(mask, window)->hypothesis.constant, constant);
      }
  }

  void distances_of_masks_by_distance() {
    using Ranges = std::vector<Range>;
    QCOMPARE(walk_mask(plain_mask("q_idx - kv_idx < 4", 9).value(), 9)->distances, std::optional(Ranges{{0, 4}}));
    QCOMPARE(walk_mask(plain_mask("(q_idx - kv_idx) % 4 == 1", 9).value(), 9)->distances,
             std::optional(Ranges{{1, 2}, {5, 6}}));
    QCOMPARE(walk_mask(plain_mask("kv_idx > 3", 9).value(), 9)->distances, std::nullopt);
    QCOMPARE(walk_mask(plain_mask("False", 9).value(), 9)->distances, std::optional(Ranges{}));
  }
};

VQSCOPE_TEST(MaskWindowTest)
#include "mask_window_test.moc"
