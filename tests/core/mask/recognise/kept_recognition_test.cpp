// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/mask/recognise/recognise.h"
#include "tests/core/mask/recognise/text_mask.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr Index few_steps = 64;  // not even the rows are read within them
constexpr Index enough_steps = Index{1} << 25;

}  // namespace

class KeptRecognitionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void is_found_once_and_by_copies_too() {
    const auto mask = mask_of_text("(kv_idx <= q_idx) & (q_idx - kv_idx < 4)", {.q_length = 40});
    const KeptRecognition kept;
    const KeptRecognition copy = kept;
    const auto found = kept.of(mask, enough_steps);
    QVERIFY(found && found->searched_all);
    COMPARE_TEXT(found->sentence, "causal ∧ window 4");
    QVERIFY(copy.of(mask, enough_steps) == found);
    // A search that left nothing out is the same with any number of steps.
    QVERIFY(copy.of(mask, few_steps) == found && kept.of(mask, 2 * enough_steps) == found);
  }

  void another_mask_is_recognised_anew() {
    const KeptRecognition kept;
    const auto causal = mask_of_text("kv_idx <= q_idx", {.q_length = 12});
    const auto all = mask_of_text("kv_idx >= 0", {.q_length = 12});
    COMPARE_TEXT(kept.of(causal, enough_steps)->sentence, "causal");
    COMPARE_TEXT(kept.of(all, enough_steps)->sentence, "every key visible to every query");
    COMPARE_TEXT(kept.of(causal, enough_steps)->sentence, "causal");
  }

  /// A mask may be made of the case that keeps what it was recognised as.
  void masks_are_not_kept_alive() {
    const KeptRecognition kept;
    auto mask = mask_of_text("kv_idx <= q_idx", {.q_length = 12});
    QVERIFY(kept.of(mask, enough_steps));
    const std::weak_ptr<const Mask> left = mask;
    mask.reset();
    QVERIFY(left.expired());
  }

  void more_steps_search_again() {
    const KeptRecognition kept;
    const auto mask = mask_of_text("kv_idx <= q_idx", {.q_length = 40});
    QVERIFY(!kept.of(mask, few_steps));
    QVERIFY(kept.of(mask, enough_steps));
  }

  void stopped_recognition_is_not_kept() {
    const KeptRecognition kept;
    const auto mask = mask_of_text("kv_idx <= q_idx", {.q_length = 40});
    std::stop_source source;
    source.request_stop();
    QVERIFY(!kept.of(mask, enough_steps, source.get_token()));
    QVERIFY(kept.of(mask, enough_steps));
  }
};

VQSCOPE_TEST(KeptRecognitionTest)
#include "kept_recognition_test.moc"
