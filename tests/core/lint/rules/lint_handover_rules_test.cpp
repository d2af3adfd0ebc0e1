// SPDX-License-Identifier: GPL-3.0-or-later
// How a mask reaches a kernel.
#include "tests/core/lint/rules/rule_table.h"
#include "tests/support/test_main.h"

using namespace vqscope;
using namespace vqscope::test;

class LintHandoverRulesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void rules_data() {
    const auto add = rule_table();
    add("cu_seqlens", "mask=packed q_length=6 document_lengths=4,2 cu_seqlens=0,4,6", "", "");
    add("cu_seqlens", "mask=packed q_length=6 document_lengths=4,2 cu_seqlens=0,3,6", "",
        "error cu_seqlens (-, -) 1 : cu_seqlens[1] is 3, but document 0 ends at 4");
    add("cu_seqlens", "mask=packed q_length=6 document_lengths=4,2 cu_seqlens=0,6", "",
        "error cu_seqlens (-, -) 1 : cu_seqlens[1] is 6, but document 0 ends at 4");
    add("cu_seqlens", "mask=packed q_length=6 document_lengths=4,2 cu_seqlens=1,4,6", "",
        "error cu_seqlens (-, -) 1 : cu_seqlens begins at 1 but must begin at 0");
    // Kernels take sequences of no tokens (flash-attention#1537).
    add("cu_seqlens", "mask=packed q_length=6 document_lengths=4,2 cu_seqlens=0,4,4,6,6,6", "", "");
    add("cu_seqlens", "mask=packed q_length=6 document_lengths=4,2 cu_seqlens=0,0,3,6", "",
        "error cu_seqlens (-, -) 1 : cu_seqlens[2] is 3, but document 0 ends at 4");
    add("cu_seqlens", "mask=packed q_length=6 document_lengths=4,2 cu_seqlens=0,4,3,6", "",
        "error cu_seqlens (-, -) 1 : cu_seqlens[2] is 3 after 4 but must not decrease");
    add("cu_seqlens", "mask=causal q_length=6 cu_seqlens=0,4,6,6", "",
        "asks: cu_seqlens has 2 documents: set document_lengths=4,2");
    add("cu_seqlens", "mask=packed q_length=6 document_lengths=4,2 cu_seqlens=0,4,7", "",
        "error cu_seqlens (-, -) 1 : cu_seqlens ends at 7, but there are 6 real tokens: a kernel would read past the "
        "end or leave tokens out");
    add("cu_seqlens", "mask=causal q_length=6 cu_seqlens=0,4,6", "",
        "asks: cu_seqlens has 2 documents: set document_lengths=4,2");
    add("cu_seqlens", "mask=causal q_length=6", "", "skipped: cu_seqlens is not given");
    // A block mask for one head or one row of the batch.
    add("block_mask_broadcast", "q_length=4 block_mask_heads=1", "(kv_idx <= q_idx) & (h >= 0)",
        "error block_mask_broadcast (-, -) 1 : the text reads h and the block mask was created with H=None: every head "
        "gets head 0's mask; give H=num_heads");
    add("block_mask_broadcast", "q_length=4 block_mask_heads=8", "(kv_idx <= q_idx) & (h >= 0)", "");
    add("block_mask_broadcast", "q_length=4 block_mask_batch=1", "(kv_idx <= q_idx) & (b >= 0)",
        "error block_mask_broadcast (-, -) 1 : the text reads b and the block mask was created with B=None: every row "
        "of the batch gets row 0's mask; give B=batch_size");
    add("block_mask_broadcast", "q_length=4 block_mask_batch=4 batch_size=2", "(kv_idx <= q_idx) & (b >= 0)",
        "error block_mask_broadcast (-, -) 1 : the block mask was created for a batch of 4 and is used with 2");
    add("block_mask_broadcast", "q_length=4 block_mask_batch=4 batch_size=4", "(kv_idx <= q_idx) & (b >= 0)", "");
    add("block_mask_broadcast", "q_length=4 dialect=flex_attention", "(kv_idx <= q_idx) & (h >= 0)",
        "asks: the text reads h: set block_mask_heads, the size the block mask was created for; 1 for None");
    add("block_mask_broadcast", "q_length=4", "kv_idx <= q_idx", "skipped: the mask's text reads neither b nor h");
    add("block_mask_reuse", "q_length=4", "kv_idx <= q_idx", "skipped: the lengths of a block mask are not set");
    // Windows to both sides.
    add("window_argument",
        "q_length=9 objective=bidirectional window_left=64 window_right=32 dialect=flash_attention window_argument=64",
        "(q_idx - kv_idx <= 64) & (kv_idx - q_idx <= 32)",
        "error window_argument (-, -) 1 : flash-attention keeps 64 behind and 64 ahead (window_size=(left, right), "
        "both ends inclusive), expected 64 behind and 32 ahead");
    add("window_argument",
        "q_length=9 objective=bidirectional window_left=64 window_right=32 dialect=flash_attention window_argument=64 "
        "window_argument_right=32",
        "(q_idx - kv_idx <= 64) & (kv_idx - q_idx <= 32)", "");
    add("window_argument", "q_length=9 window_argument=4 window=4", "kv_idx <= q_idx",
        "asks: window_argument is set: also set window_meaning, or a dialect with a window");
    add("window_argument", "q_length=9 window_argument=4 dialect=flash_attention objective=causal", "kv_idx <= q_idx",
        "asks: window_argument is set: also set window, or window_left and window_right");
    add("window_argument", "q_length=9", "kv_idx <= q_idx", "skipped: window_argument is not set");
    // is_causal, with and without a mask.
    add("double_masking", "mask=causal q_length=3", "", "skipped: is_causal is not set");
    add("double_masking", "mask=causal q_length=3 is_causal=true attn_mask=none", "", "");
    add("double_masking", "mask=causal q_length=3 is_causal=true dialect=mha attn_mask=none", "",
        "error double_masking (-, -) 1 : nn.MultiheadAttention refuses is_causal=True without attn_mask");
    add("double_masking", "mask=causal q_length=3 is_causal=true dialect=flex_attention", "",
        "skipped: FlexAttention mask_mod takes no is_causal");
    add("double_masking", "mask=decode q_length=2 past_len=3 is_causal=true dialect=flash_attention", "", "");
    add("double_masking", "mask=sliding_window sliding_window=2 q_length=4 is_causal=true dialect=mha", "",
        "error double_masking (2, 0) 3 cells: row 2 does not see key 0, which is_causal=True allows: the mask may "
        "be ignored; 3 cells in all");
    // Polarity, and what arguments cannot say.
    add("dialect_polarity", "mask=causal q_length=3", "", "skipped: true_means is not set");
    add("dialect_polarity", "mask=causal q_length=3 true_means=masked dialect=mha", "", "");
    add("dialect_polarity", "mask=causal q_length=3 true_means=masked dialect=sdpa", "",
        "error dialect_polarity (-, -) 1 : True is masked in this mask and attends in torch SDPA, boolean: all 9 cells "
        "would be inverted");
    add("dialect_polarity", "mask=causal q_length=3 true_means=masked dialect=flash_attention", "",
        "skipped: flash-attention arguments takes no boolean mask");
    add("dialect_cannot", "q_length=6 chunk=3 objective=causal dialect=flash_attention",
        "(kv_idx <= q_idx) & (q_idx // 3 == kv_idx // 3)", "");
    add("dialect_cannot", "q_length=6 chunk=3 objective=causal dialect=padding_2d",
        "(kv_idx <= q_idx) & (q_idx // 3 == kv_idx // 3)",
        "error dialect_cannot (-, -) 1 : 2-D padding mask cannot express this mask: chunks of 3");
    add("dialect_cannot", "q_length=6 chunk=2 objective=block_causal dialect=xformers", "kv_idx // 2 <= q_idx // 2",
        "");
    add("dialect_cannot", "q_length=6 chunk=2 objective=block_causal dialect=flash_attention",
        "kv_idx // 2 <= q_idx // 2",
        "error dialect_cannot (-, -) 1 : flash-attention arguments cannot express this mask: chunks of 2");
    add("dialect_cannot", "q_length=8 chunk=2 left_chunks=1 objective=chunked dialect=xformers",
        "(kv_idx // 2 <= q_idx // 2) & (q_idx // 2 - kv_idx // 2 <= 1)", "");
    // For a 2-D padding mask, the window comes from the configuration, to both sides too.
    add("dialect_cannot", "q_length=6 objective=bidirectional window_left=1 window_right=1 dialect=padding_2d",
        "abs(q_idx - kv_idx) <= 1", "");
    add("dialect_cannot", "q_length=6 objective=causal dialect=flash_attention", "kv_idx <= q_idx", "");
    add("dialect_cannot", "q_length=6 objective=causal", "kv_idx <= q_idx", "skipped: dialect is not set");
  }
  void rules() { check_rule_row(); }
};

VQSCOPE_TEST(LintHandoverRulesTest)
#include "lint_handover_rules_test.moc"
