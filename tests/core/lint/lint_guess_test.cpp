// SPDX-License-Identifier: GPL-3.0-or-later
// Assumptions about a mask without stated inputs, and the questions that follow.
#include "tests/core/lint/lint_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string assumed(const char* settings, const char* text) { return objective_text(*Stated(settings, text).made()); }

/// The questions about a mask, one a line; findings are none.
std::string questions_of(const char* settings, const char* text) {
  const auto report = lint_mask(*Stated(settings, text).made());
  std::string all = lines(report);
  for (const auto& question : report.questions)
    all += (all.empty() ? "" : "\n") + question.rule + ": " + question.sentence;
  return all;
}

}  // namespace

class LintGuessTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void objectives() {
    COMPARE_TEXT(assumed("q_length=8", "kv_idx <= q_idx"), "causal (assumed)");
    COMPARE_TEXT(assumed("q_length=8", "kv_idx >= 0"), "bidirectional (assumed)");
    COMPARE_TEXT(assumed("q_length=32", "abs(q_idx - kv_idx) <= 4"), "bidirectional (assumed)");
    COMPARE_TEXT(assumed("q_length=8", "(kv_idx < 3) | (kv_idx <= q_idx)"), "prefix (assumed)");
    COMPARE_TEXT(assumed("q_length=10", "(kv_idx <= q_idx) | ((q_idx // 5 == kv_idx // 5) & (q_idx % 5 > 1))"),
                 "causal_spans (assumed)");
    COMPARE_TEXT(assumed("q_length=12", "q_idx // 4 >= kv_idx // 4"), "block_causal (assumed)");
    COMPARE_TEXT(assumed("q_length=6", "kv_idx // 2 <= q_idx // 2"), "block_causal (assumed)");
    COMPARE_TEXT(assumed("q_length=12", "(q_idx // 2 >= kv_idx // 2) & (q_idx // 2 - kv_idx // 2 <= 2)"),
                 "chunked (assumed)");
    COMPARE_TEXT(assumed("q_length=13 document_lengths=8,5", "(q_pos // 3 >= kv_pos // 3) & (q_doc == kv_doc)"),
                 "block_causal (assumed)");
    COMPARE_TEXT(assumed("q_length=8", "kv_idx <= q_idx + 1"), "causal (assumed)");
    COMPARE_TEXT(assumed("q_length=4 kv_length=9", "kv_idx <= q_idx + 5"), "causal (assumed)");
    COMPARE_TEXT(assumed("q_length=9 kv_length=4", "kv_idx >= 0"), "cross (assumed)");
    COMPARE_TEXT(assumed("q_length=12 document_lengths=7,5", "(kv_idx <= q_idx) | (q_doc == kv_doc)"),
                 "causal (assumed)");
    COMPARE_TEXT(assumed("q_length=12 document_lengths=7,5", "q_doc == kv_doc"), "bidirectional (assumed)");
    COMPARE_TEXT(assumed("q_length=8", "kv_idx > q_idx"), "causal (assumed)");
    COMPARE_TEXT(assumed("q_length=30 document_lengths=9,1,20", "(kv_idx <= q_idx) | (q_doc == kv_doc)"),
                 "causal (assumed)");
    COMPARE_TEXT(assumed("q_length=30", "((q_idx < 6) == (kv_idx < 6)) & ((kv_idx < 3) | (kv_idx <= q_idx))"),
                 "causal_spans (assumed)");
    COMPARE_TEXT(assumed("q_length=8 span_ids=-1,0,0,-1,-1,-1,-1,-1", "kv_idx <= q_idx"), "causal_spans");
    COMPARE_TEXT(assumed("q_length=8 prefix_length=2", "kv_idx <= q_idx"), "prefix");
  }

  /// Spans have a number for each key: not for as many keys as a cache of 2^31 tokens has.
  void spansOfAHugeCacheAreNotGuessed() {
    COMPARE_TEXT(assumed("q_length=512 kv_length=2147483648", "(q_idx % 7 == 3) & (kv_idx % 11 < 4)"),
                 "causal (assumed)");
  }

  /// Whatever has a name is no causal mask with leaks.
  void patternsAreNoLeaks() {
    // NATTEN, and its tiles, which have no name and see as much ahead as behind.
    COMPARE_TEXT(assumed("q_length=64",
                         "(abs(torch.clamp(q_idx % 8, 1, 6) - kv_idx % 8) <= 1) & "
                         "(abs(torch.clamp(q_idx // 8, 1, 6) - kv_idx // 8) <= 1)"),
                 "bidirectional (assumed)");
    COMPARE_TEXT(assumed("q_length=64", "abs(torch.clamp(q_idx // 8, 1, 6) - kv_idx // 8) <= 1"),
                 "bidirectional (assumed)");
    // Block diffusion: a noisy copy before the clean one.
    const char* diffusion =
        "((q_idx < 24) & (kv_idx < 24) & (q_idx // 4 == kv_idx // 4)) | ((q_idx < 24) & (kv_idx >= 24) & "
        "((kv_idx - 24) // 4 < q_idx // 4)) | ((q_idx >= 24) & (kv_idx >= 24) & ((kv_idx - 24) // 4 <= (q_idx - 24) // "
        "4))";
    const std::string noisy = questions_of("q_length=48", diffusion);
    QVERIFY2(noisy.find("error") == std::string::npos, noisy.c_str());
    // Google's Gemma bounds an image by the window to both sides.
    const std::string image = "((q_idx >= 4) & (q_idx < 24) & (kv_idx >= 4) & (kv_idx < 24))";
    COMPARE_TEXT(
        questions_of("q_length=40", ("((kv_idx <= q_idx) | " + image + ") & (abs(q_idx - kv_idx) < 6)").c_str()), "");
    COMPARE_TEXT(assumed("q_length=40", ("((kv_idx <= q_idx) | " + image + ") & (abs(q_idx - kv_idx) < 6)").c_str()),
                 "causal_spans (assumed)");
  }

  /// A few wrong cells do not hide what the others are.
  void mistakesInAPattern() {
    COMPARE_TEXT(
        lines(lint_mask(*Stated("q_length=32",
                                "(kv_idx // 4 <= q_idx // 4) | ((q_idx == 9) & (kv_idx == "
                                "20))")
                             .made())),
        "error future_visible (9, 20) 1 cells: row 9 sees key 20: kv_pos 20 and q_pos 9, beyond the chunk of 4");
  }

  /// The first rows are recognised, and all of them checked.
  void longMasks() {
    COMPARE_TEXT(assumed("q_length=1048576", "kv_idx // 16 <= q_idx // 16"), "block_causal (assumed)");
    COMPARE_TEXT(assumed("q_length=2147483648", "kv_idx >= 0"), "bidirectional (assumed)");
    COMPARE_TEXT(assumed("q_length=2147483648", "(q_idx - kv_idx <= 4096) & (kv_idx - q_idx <= 512)"),
                 "bidirectional (assumed)");
  }

  /// A leak is one, whatever is assumed.
  void leaksAreFound() {
    QVERIFY(questions_of("q_length=8", "kv_idx <= q_idx + 1").starts_with("error future_visible (0, 1) 7 cells"));
    QVERIFY(questions_of("q_length=1 past_len=7", "kv_idx <= q_idx").starts_with("error key_hidden (0, 1) 7 cells"));
  }

  /// "or" instead of "and": both kinds of wrongly visible cells are reported.
  void joinedDocumentsAreTwoMistakes() {
    const std::string findings =
        questions_of("q_length=12 document_lengths=7,5", "(kv_idx <= q_idx) | (q_doc == kv_doc)");
    QVERIFY2(findings.starts_with("error future_visible (0, 1) 31 cells"), findings.c_str());
    QVERIFY2(findings.find("\nerror document_leak (7, 0) 35 cells") != std::string::npos, findings.c_str());
  }

  /// With one document, the condition on documents is true everywhere, and nothing would be
  /// checked.
  void missingDocumentsAreRequested() {
    const char* text = "(kv_idx <= q_idx) & (document_id[q_idx] == document_id[kv_idx])";
    COMPARE_TEXT(
        questions_of("q_length=4", text),
        "document_leak: the mask reads documents, and the sequence is one: set document_lengths, or document_id");
    QVERIFY(questions_of("q_length=4", "(kv_idx <= q_idx) & (q_doc == kv_doc)")
                .starts_with("document_leak: the mask reads"));
    COMPARE_TEXT(questions_of("q_length=4 document_lengths=3,1", text), "");
  }

  /// The last line of the text gives the sizes of its block mask.
  void blockMasksOfTheText() {
    const std::string mask = "def mask_mod(b, h, q_idx, kv_idx):\n    return (kv_idx <= q_idx) & (b >= 0)\n\n";
    const std::string none = mask + "block_mask = create_block_mask(mask_mod, B=None, H=None, Q_LEN=8, KV_LEN=8)\n";
    QVERIFY(
        questions_of("q_length=8", none.c_str()).starts_with("error block_mask_broadcast (-, -) 1 : the text reads b"));
    COMPARE_TEXT(questions_of("q_length=8 batch_size=1", none.c_str()), "");
    const std::string given = mask + "block_mask = create_block_mask(mask_mod, BATCH, None, 8, 8)\n";
    COMPARE_TEXT(questions_of("q_length=8", given.c_str()), "");
  }

  void missingInputsAreRequested() {
    COMPARE_TEXT(questions_of("q_length=8", "kv_idx <= q_idx"), "");
    COMPARE_TEXT(questions_of("q_length=300", "(kv_idx <= q_idx) & (q_idx - kv_idx <= 128)"),
                 "key_hidden: row 129 does not see key 0: the mask keeps a window of 129 keys: set window=129 if "
                 "intended");
    COMPARE_TEXT(questions_of("q_length=300",
                              "def mask_mod(b, h, q_idx, kv_idx):\n    SLIDING_WINDOW = 128\n"
                              "    return (kv_idx <= q_idx) & (q_idx - kv_idx <= SLIDING_WINDOW)\n"),
                 "key_hidden: row 129 does not see key 0: the mask keeps a window of 129 keys: set window=129 if "
                 "intended; the text names SLIDING_WINDOW = 128, which is a different number of keys");
    COMPARE_TEXT(questions_of("q_length=300",
                              "def mask_mod(b, h, q_idx, kv_idx):\n    SLIDING_WINDOW = 128\n"
                              "    return (kv_idx <= q_idx) & (q_idx - kv_idx < SLIDING_WINDOW)\n"),
                 "");
    COMPARE_TEXT(questions_of("q_length=12", "(kv_idx <= q_idx) & (q_idx // 4 == kv_idx // 4)"),
                 "key_hidden: row 4 does not see key 0: the mask keeps chunks of 4: set chunk=4 if intended");
    COMPARE_TEXT(questions_of("q_length=12", "(kv_idx <= q_idx) & ((q_idx < 5) == (kv_idx < 5))"),
                 "key_hidden: row 5 does not see key 0: the mask keeps documents [5, 7]: set "
                 "document_lengths=5,7 if intended");
    COMPARE_TEXT(
        questions_of("q_length=8", "(kv_idx <= q_idx) & ((q_idx - kv_idx) % 2 == 0)"),
        "key_hidden: row 1 does not see key 0 (kv_pos 0 and q_pos 1), and the objective causal expects every "
        "real earlier key to be visible (assumed): set objective, or sparse=true if keys are masked on purpose");
    QVERIFY(questions_of("q_length=4 kv_length=9", "kv_idx <= q_idx")
                .starts_with("key_offset: kv_length is 9 and past_len 0"));
    COMPARE_TEXT(questions_of("q_length=8", "(kv_idx <= q_idx) & (kv_idx < 6)"),
                 "key_hidden: row 6 does not see key 6: the mask keeps padding of its own: set padding=2 and "
                 "padding_side=right if intended");
    COMPARE_TEXT(questions_of("q_length=9 objective=bidirectional", "(q_idx - kv_idx) % 2 == 0"),
                 "key_hidden: row 0 does not see key 1: the mask keeps a symmetric pattern: set "
                 "sparse=true if intended");
    COMPARE_TEXT(
        questions_of("q_length=6 position_ids=0,1,2,0,1,2", "(kv_idx <= q_idx) & ((q_idx < 3) == (kv_idx < 3))"),
        "key_hidden: row 3 does not see key 0: the mask keeps chunks of 3: set chunk=3 if intended\n"
        "position_steps: positions restart at key 3, where the mask keeps documents of its own: set "
        "document_lengths=3,3");
    COMPARE_TEXT(questions_of("q_length=8 objective=prefix", "(kv_idx < 3) | (kv_idx <= q_idx)"),
                 "future_visible: the objective is prefix: set prefix_length, the leading positions that see each "
                 "other both ways");
    COMPARE_TEXT(questions_of("q_length=8 true_means=attends", "kv_idx <= q_idx"),
                 "dialect_polarity: true_means is set: also set dialect, the backend that receives the mask");
    COMPARE_TEXT(questions_of("q_length=8 dialect=flex_attention", "(kv_idx <= q_idx) & (b >= 0)"),
                 "block_mask_broadcast: the text reads b: set block_mask_batch, the size the block mask was created "
                 "for; 1 for None");
  }
};

VQSCOPE_TEST(LintGuessTest)
#include "lint_guess_test.moc"
