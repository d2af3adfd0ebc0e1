// SPDX-License-Identifier: GPL-3.0-or-later
// Objectives by chunks, spans under a window, and blocks of a drafter.
#include "tests/core/lint/lint_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// DFlash with anchors 3, 5 and 10 and blocks of 4: 12 context keys, then the 12 of the blocks
/// themselves.
const std::string draft_positions =
    "q_length=12 kv_length=24 objective=causal q_position_ids=3,4,5,6,5,6,7,8,10,11,12,13 "
    "kv_position_ids=3,4,5,6,5,6,7,8,10,11,12,13,3,4,5,6,5,6,7,8,10,11,12,13";

std::string draft_mask(const std::string& context) {
  return "block, n = 4, 12\nanchor = torch.tensor([3, 5, 10])\n"
         "position = torch.tensor([3, 4, 5, 6, 5, 6, 7, 8, 10, 11, 12, 13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])\n"
         "def mask_mod(b, h, q_idx, kv_idx):\n"
         "    q_block = q_idx // block\n"
         "    context = (kv_idx < n) & (" +
         context +
         ")\n"
         "    noise = (kv_idx >= n) & ((kv_idx - n) // block == q_block)\n"
         "    return context | noise\n";
}

}  // namespace

class LintChunksTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void block_causal() {
    const std::string two = "q_length=6 objective=block_causal chunk=2";
    COMPARE_TEXT(all_findings(two, "kv_idx // 2 <= q_idx // 2"), "");
    COMPARE_TEXT(all_findings(two, "kv_idx <= q_idx + 1"),
                 "error future_visible (1, 2) 2 cells: row 1 sees key 2: kv_pos 2 and q_pos 1, beyond the chunk of 2; "
                 "2 cells in all");
    COMPARE_TEXT(all_findings(two, "kv_idx <= q_idx"),
                 "error key_hidden (0, 1) 3 cells: row 0 does not see key 1 (kv_pos 1 and q_pos 0), and the objective "
                 "block_causal expects every real key of its chunk of 2, all before it to be visible; 3 cells in all");
    COMPARE_TEXT(all_findings("q_length=6 objective=block_causal", "kv_idx // 2 <= q_idx // 2"),
                 "future_visible asks: the objective is block_causal: set chunk, the number of positions of a chunk");
  }

  /// NeMo att_context_size [4, 1]: chunks of 2 frames and two chunks before.
  void chunks_before() {
    const std::string nemo = "q_length=12 objective=chunked chunk=2 left_chunks=2";
    const std::string right = "(q_idx // 2 - kv_idx // 2 <= 2) & (q_idx // 2 >= kv_idx // 2)";
    COMPARE_TEXT(all_findings(nemo, right), "");
    COMPARE_TEXT(all_findings("q_length=12", right), "");
    COMPARE_TEXT(all_findings(nemo, "q_idx // 2 >= kv_idx // 2"),
                 "error chunk_off (6, 0) 24 cells: row 6 sees key 0: kv_pos 0 and q_pos 6, and chunks of 2 show 4 keys "
                 "before the query's chunk; 24 cells in all");
  }

  /// Emformer: segments of 4 frames, 3 frames before and 1 after.
  void frames_before_and_after() {
    const std::string emformer = "q_length=12 objective=chunked chunk=4 left_frames=3 right_frames=1";
    const std::string right = "(kv_idx >= q_idx // 4 * 4 - 3) & (kv_idx < q_idx // 4 * 4 + 5)";
    COMPARE_TEXT(all_findings(emformer, right), "");
    COMPARE_TEXT(all_findings("q_length=12", right), "");
    COMPARE_TEXT(all_findings("q_length=12 left_frames=3 right_frames=1 chunk=4", right), "");
    COMPARE_TEXT(all_findings(emformer, "(kv_idx >= q_idx // 4 * 4 - 3) & (kv_idx < q_idx // 4 * 4 + 6)"),
                 "error future_visible (0, 5) 8 cells: row 0 sees key 5: kv_pos 5 and q_pos 0, beyond the chunk of 4 "
                 "and 1 frames after it; 8 cells in all");
  }

  /// A chunk begins with its document, and padding is left out.
  void chunks_of_documents() {
    const std::string packed =
        "q_length=12 document_lengths=5,5 padding=2 padding_side=right dialect=sdpa objective=block_causal "
        "chunk=3";
    const std::string mask = "(q_pos // 3 >= kv_pos // 3) & (q_doc == kv_doc) & key_valid";
    COMPARE_TEXT(all_findings(packed, mask), "");
    QVERIFY(all_findings(packed, "(q_idx // 3 >= kv_idx // 3) & (q_doc == kv_doc) & key_valid")
                .starts_with("error future_visible"));
  }

  /// (causal or same image) and window, as in Gemma 3 and 4; the image stands at 2 to 5.
  void a_window_bounds_spans() {
    const std::string image = "q_length=12 objective=causal_spans window=4 span_ids=-1,-1,0,0,0,0,0,0,-1,-1,-1,-1";
    const std::string same = "((q_idx >= 2) & (q_idx < 8) & (kv_idx >= 2) & (kv_idx < 8))";
    COMPARE_TEXT(all_findings(image, "((kv_idx <= q_idx) | " + same + ") & (q_idx - kv_idx < 4)"), "");
    // Google's Gemma bounds both sides.
    COMPARE_TEXT(all_findings(image, "((kv_idx <= q_idx) | " + same + ") & (abs(q_idx - kv_idx) < 4)"), "");
    const std::string outside = all_findings(image, "((kv_idx <= q_idx) & (q_idx - kv_idx < 4)) | " + same);
    QVERIFY2(outside.starts_with("error window_off (6, 2) 3 cells: row 6 sees key 2, 4 behind"), outside.c_str());
    const std::string narrow =
        all_findings(image, "((kv_idx <= q_idx) | " + same + ") & (q_idx - kv_idx < 4) & (kv_idx - q_idx < 3)");
    QVERIFY2(narrow.find("span_not_bidirectional (2, 5) 3 cells") != std::string::npos, narrow.c_str());
  }

  /// A prefill chunk of queries 8 to 11 whose mask counts them from 0.
  void a_chunk_after_an_image() {
    const std::string chunk =
        "q_length=4 kv_length=12 past_len=8 objective=causal_spans window=4 "
        "span_ids=-1,-1,0,0,0,0,-1,-1,-1,-1,-1,-1";
    COMPARE_TEXT(all_findings(chunk, "(kv_idx <= q_idx + 8) & (q_idx + 8 - kv_idx < 4)"), "");
    QVERIFY(all_findings(chunk, "kv_idx <= q_idx").find("window_off (0, 0)") != std::string::npos);
  }

  void blocks_with_anchors() {
    COMPARE_TEXT(all_findings(draft_positions, draft_mask("position[kv_idx] < anchor[q_block]")), "");
    COMPARE_TEXT(all_findings(draft_positions, draft_mask("kv_idx // block < q_block")),
                 "error future_visible (4, 2) 8 cells: row 4 sees key 2, the context at position 5: the draft block of "
                 "row 4 predicts positions 5 to 8; 8 cells in all");
    const std::string hidden = all_findings(draft_positions, draft_mask("position[kv_idx] + 1 < anchor[q_block]"));
    QVERIFY2(hidden.starts_with("error key_hidden (4, 1)"), hidden.c_str());
    const std::string all = all_findings(draft_positions, "kv_idx >= 0");
    QVERIFY2(all.find("of another draft block") != std::string::npos, all.c_str());
  }

  /// Anchors 2, 6 and 9 with blocks of 3: the third block follows the second one.
  void blocks_without_a_gap() {
    const std::string drafts =
        "q_length=9 kv_length=19 objective=causal q_position_ids=2,3,4,6,7,8,9,10,11 "
        "kv_position_ids=0,1,2,3,4,5,6,7,8,9,2,3,4,6,7,8,9,10,11";
    const auto mask = [](const std::string& context) {
      return "anchor = torch.tensor([2, 6, 9])\n"
             "def mask_mod(b, h, q_idx, kv_idx):\n"
             "    own = (kv_idx >= 10) & ((kv_idx - 10) // 3 == q_idx // 3)\n"
             "    return own | ((kv_idx < 10) & (" +
             context + "))\n";
    };
    COMPARE_TEXT(all_findings(drafts, mask("kv_idx < anchor[q_idx // 3]")), "");
    QVERIFY(all_findings(drafts, mask("kv_idx <= anchor[q_idx // 3]"))
                .starts_with("error future_visible (0, 2) 9 cells: row 0 sees key 2, the context at position 2"));
  }

  /// A position that is left out is no anchor.
  void a_gap_is_no_anchor() {
    const std::string gap =
        all_findings("q_length=4 past_len=4 objective=causal position_ids=0,1,2,3,4,5,7,8", "kv_idx <= q_idx + 4");
    QVERIFY2(gap.starts_with("error position_steps"), gap.c_str());
  }

  /// A row that sees nothing is empty; nothing is inverted.
  void mask_without_visible_keys_is_not_inverted() {
    const std::string none = all_findings("q_length=1 kv_length=8 past_len=7 objective=causal", "kv_idx < 0");
    QVERIFY2(none.find("empty_row") != std::string::npos, none.c_str());
    QVERIFY2(none.find("polarity") == std::string::npos, none.c_str());
    QVERIFY(all_findings("q_length=8 objective=causal", "kv_idx > q_idx").starts_with("error polarity_inverted"));
  }
};

VQSCOPE_TEST(LintChunksTest)
#include "lint_chunks_test.moc"
