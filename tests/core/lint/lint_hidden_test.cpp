// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/lint_hidden.h"

#include "tests/core/lint/lint_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string hidden(const char* settings, const char* text) {
  const auto purpose = hidden_on_purpose(*Stated(settings, text).made());
  return purpose ? purpose->text() : "nothing";
}

}  // namespace

class LintHiddenTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void windows() {
    COMPARE_TEXT(hidden("q_length=10 objective=causal", "(kv_idx <= q_idx) & (q_idx - kv_idx < 4)"),
                 "a window of 4 keys: set window=4");
    COMPARE_TEXT(hidden("q_length=10 objective=bidirectional", "abs(q_idx - kv_idx) <= 2"),
                 "a window of 2 behind and 2 ahead: set window_left=2 and window_right=2");
    COMPARE_TEXT(hidden("q_length=10 objective=bidirectional", "(q_idx - kv_idx <= 3) & (kv_idx <= q_idx + 1)"),
                 "a window of 3 behind and 1 ahead: set window_left=3 and window_right=1");
  }

  /// Of more rows than are read one by one.
  void windows_of_long_masks() {
    COMPARE_TEXT(hidden("q_length=2147483648 objective=causal", "(kv_idx <= q_idx) & (q_idx - kv_idx <= 128)"),
                 "a window of 129 keys: set window=129");
    COMPARE_TEXT(hidden("q_length=2147483648 objective=causal",
                        "(kv_idx <= q_idx) & (q_idx - kv_idx <= 128) & ((q_idx < 9999999) | (kv_idx > 9999999))"),
                 "nothing");
  }

  void chunks_and_documents() {
    COMPARE_TEXT(hidden("q_length=10 objective=causal", "(kv_idx <= q_idx) & (q_idx // 4 == kv_idx // 4)"),
                 "chunks of 4: set chunk=4");
    COMPARE_TEXT(hidden("q_length=10 objective=bidirectional", "q_idx // 5 == kv_idx // 5"),
                 "chunks of 5: set chunk=5");
    COMPARE_TEXT(hidden("q_length=12 objective=causal", "(kv_idx <= q_idx) & ((q_idx < 5) == (kv_idx < 5))"),
                 "documents [5, 7]: set document_lengths=5,7");
  }

  /// A window within chunks is distinguished from chunks once the window is stated.
  void stated_inputs_are_not_suggested() {
    const char* both = "(kv_idx <= q_idx) & (q_idx // 6 == kv_idx // 6) & (q_idx - kv_idx < 3)";
    COMPARE_TEXT(hidden("q_length=12 objective=causal window=3", both), "chunks of 6: set chunk=6");
    COMPARE_TEXT(hidden("q_length=12 objective=causal window=3 chunk=6", both),
                 "documents [6, 6]: set document_lengths=6,6");
    COMPARE_TEXT(hidden("q_length=10 objective=causal window=0", "(kv_idx <= q_idx) & (q_idx - kv_idx < 4)"),
                 "nothing");
  }

  /// At once, at any length; beside a narrower window that is expected, the documents alone.
  void documents_with_a_window() {
    const char* both = "(kv_idx <= q_idx) & ((q_idx < 100000) == (kv_idx < 100000)) & (q_idx - kv_idx < 9)";
    COMPARE_TEXT(hidden("q_length=300000 objective=causal", both),
                 "documents [100000, 200000] and a window of 9 keys: set document_lengths=100000,200000 and window=9");
    COMPARE_TEXT(hidden("q_length=300000 objective=causal window=8", both),
                 "documents [100000, 200000]: set document_lengths=100000,200000");
    COMPARE_TEXT(hidden("q_length=300000 objective=causal window=10", both), "nothing");
    COMPARE_TEXT(hidden("q_length=300000 objective=causal window=0", both), "nothing");
  }

  void padding() {
    COMPARE_TEXT(hidden("q_length=8 objective=causal", "(kv_idx <= q_idx) & (kv_idx >= 3)"),
                 "padding of its own: set padding=3 and padding_side=left");
    COMPARE_TEXT(hidden("q_length=8 objective=bidirectional", "kv_idx < 6"),
                 "padding of its own: set padding=2 and padding_side=right");
    COMPARE_TEXT(hidden("q_length=8 objective=bidirectional", "(kv_idx < 6) & (kv_idx > 0)"), "nothing");
    // The last key is one that the last query alone could see.
    COMPARE_TEXT(hidden("q_length=8 objective=causal", "(kv_idx <= q_idx) & (kv_idx < 7)"), "nothing");
  }

  void several_reasons_at_once() {
    COMPARE_TEXT(hidden("q_length=40 objective=causal", "(kv_idx <= q_idx) & (kv_idx >= 5) & (q_idx - kv_idx < 6)"),
                 "padding of 5 on the left and a window of 6 keys: set padding=5, padding_side=left and window=6");
    COMPARE_TEXT(hidden("q_length=40 objective=causal", "(kv_idx <= q_idx) & ((q_idx - kv_idx < 6) | (kv_idx < 2))"),
                 "2 sinks and a window of 6 keys: set sinks=2 and window=6");
    COMPARE_TEXT(hidden("q_length=40 objective=causal",
                        "(kv_idx <= q_idx) & (q_idx - kv_idx < 6) & ((q_idx < 17) == (kv_idx < 17))"),
                 "documents [17, 23] and a window of 6 keys: set document_lengths=17,23 and window=6");
    COMPARE_TEXT(hidden("q_length=40 objective=bidirectional", "(abs(q_idx - kv_idx) <= 4) & (kv_idx < 31)"),
                 "padding of 9 on the right and a window of 4 behind and 4 ahead: set padding=9, padding_side=right, "
                 "window_left=4 and window_right=4");
    COMPARE_TEXT(hidden("q_length=40 objective=causal", "(kv_idx <= q_idx + 1) & (kv_idx >= 5) & (q_idx - kv_idx < 6)"),
                 "nothing");
  }

  /// xFormers, BlockDiagonalGappyKeysMask: packed queries over keys in slots of 4, of which 3, 4
  /// and 2 are in use; the same of queries in slots, whose last ones are padding; and causal.
  void keys_in_slots() {
    const std::string in_slots = "documents in 3 slots with gaps behind their keys: set sparse=true";
    const char* packed =
        "((q_idx < 2) & (kv_idx < 3)) | ((q_idx >= 2) & (q_idx < 5) & (kv_idx >= 4) & (kv_idx < 8)) | "
        "((q_idx >= 5) & (kv_idx >= 8) & (kv_idx < 10))";
    COMPARE_TEXT(hidden("q_length=6 kv_length=12 objective=causal", packed), in_slots);
    COMPARE_TEXT(hidden("q_length=6 kv_length=12 objective=cross", packed), in_slots);
    const char* causal = "(kv_idx <= q_idx) & (q_idx // 4 == kv_idx // 4) & (kv_idx % 4 < 3)";
    COMPARE_TEXT(hidden("q_length=12 objective=causal", causal), in_slots);
    COMPARE_TEXT(hidden("q_length=12 objective=bidirectional", "(q_idx // 4 == kv_idx // 4) & (kv_idx % 4 < 3)"),
                 in_slots);
    COMPARE_TEXT(hidden("q_length=12 objective=causal document_lengths=4,4,4", causal), "nothing");
    COMPARE_TEXT(hidden("q_length=12 objective=causal", "(kv_idx == q_idx) & (q_idx != 5)"), "nothing");
    // One wrong cell.
    const char* wrong = "(kv_idx <= q_idx) & (q_idx // 4 == kv_idx // 4) & ((q_idx != 3) | (kv_idx != 3))";
    COMPARE_TEXT(hidden("q_length=12 objective=causal", wrong), "nothing");
    COMPARE_TEXT(hidden("q_length=12 objective=causal chunk=4", causal), "nothing");
  }

  void symmetric_patterns() {
    COMPARE_TEXT(hidden("q_length=9 objective=bidirectional", "(q_idx - kv_idx) % 3 == 0"),
                 "a symmetric pattern: set sparse=true");
    COMPARE_TEXT(hidden("q_length=9 objective=bidirectional", "(q_idx + 2 * kv_idx) % 4 != 1"), "nothing");
    COMPARE_TEXT(hidden("q_length=9 objective=causal", "(kv_idx <= q_idx) & ((q_idx - kv_idx) % 3 == 0)"), "nothing");
  }

  void no_explanation_without_hidden_keys() {
    COMPARE_TEXT(hidden("q_length=9 objective=causal", "kv_idx <= q_idx"), "nothing");
    COMPARE_TEXT(hidden("q_length=9 objective=causal", "kv_idx == q_idx"), "nothing");
    COMPARE_TEXT(hidden("q_length=9 objective=causal", "(kv_idx <= q_idx) & ((q_idx != 5) | (kv_idx > 2))"), "nothing");
  }

  /// Recognition takes long: all rules have one, and only once one of them needs it.
  void recognition_is_kept() {
    const auto kept = [](const char* text) {
      const LintCase given = *Stated("q_length=40 objective=causal", text).made();
      (void)hidden_on_purpose(given);
      return given.recognition.of(given.mask, 1) != nullptr;  // nothing is found within one step
    };
    QVERIFY(kept("(kv_idx <= q_idx) & (kv_idx >= 5) & (q_idx - kv_idx < 6)"));
    QVERIFY(!kept("(kv_idx <= q_idx) & (q_idx - kv_idx < 6)"));
  }

  /// Nothing can be derived from distances for other sequences and for slots.
  void other_layouts() {
    COMPARE_TEXT(hidden("q_length=4 kv_length=8 objective=cross", "kv_idx < 6"), "nothing");
    COMPARE_TEXT(hidden("q_length=2 kv_length=6 objective=causal cache_positions=6,7,8,-1,4,5", "kv_idx < 2"),
                 "nothing");
  }
};

VQSCOPE_TEST(LintHiddenTest)
#include "lint_hidden_test.moc"
