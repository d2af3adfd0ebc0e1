// SPDX-License-Identifier: GPL-3.0-or-later
// Keys that no query may see, and rows that must see one.
#include "tests/core/lint/rules/rule_table.h"
#include "tests/support/test_main.h"

using namespace vqscope;
using namespace vqscope::test;

class LintMaskRulesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void rules_data() {
    const auto add = rule_table();
    // Keys ahead, without those that a look-ahead, a prefix or a span allows.
    add("future_visible", "q_length=6 objective=causal window_right=1", "kv_idx <= q_idx + 2",
        "error future_visible (0, 2) 4 cells: row 0 sees key 2: kv_pos 2 > q_pos 0, window_right is 1, the objective "
        "is causal; 4 cells in all");
    add("future_visible", "q_length=6 objective=causal window_right=1", "kv_idx <= q_idx + 1", "");
    add("future_visible", "q_length=6 objective=causal_spans span_ids=-1,0,0,-1,1,1", "kv_idx <= q_idx + 1",
        "error future_visible (0, 1) 3 cells: row 0 sees key 1: kv_pos 1 > q_pos 0 and not in the query's span, the "
        "objective is causal_spans; 3 cells in all");
    add("future_visible", "q_length=4 objective=causal_spans span_ids=0,0,0,0", "kv_idx >= 0", "");
    add("future_visible", "q_length=4 objective=bidirectional", "kv_idx >= 0",
        "skipped: the objective is bidirectional");
    add("future_visible", "q_length=8 objective=prefix", "kv_idx >= 0",
        "asks: the objective is prefix: set prefix_length, the leading positions that see each other both ways");
    // Which key a query is, where there are more keys.
    add("key_offset", "q_length=2 kv_length=5", "kv_idx <= q_idx + 2",
        "asks: kv_length is 5 and past_len 0, so query 0 is taken for key 0 and keys 2 to 4 for empty slots: set "
        "past_len=3 if the queries are the last tokens");
    add("key_offset", "q_length=2 kv_length=5", "kv_idx <= q_idx + 3",
        "asks: past_len is not set, and each query sees the keys up to its place among the last tokens, so past_len=3 "
        "is assumed: set past_len=3");
    add("key_offset", "q_length=2 past_len=3", "kv_idx <= q_idx",
        "skipped: the position of the queries among the keys is given");
    add("key_offset", "q_length=2 kv_length=5 objective=cross", "kv_idx >= 0",
        "skipped: the position of the queries among the keys is given");
    // Slots of a ring that hold nothing are padding.
    add("padding_visible", "q_length=2 kv_length=6 objective=causal cache_positions=6,7,8,-1,4,5", "kv_idx >= 0",
        "error padding_visible (0, 3) 2 cells: row 0 sees key 3, which is an empty slot; 2 cells in all");
    add("padding_visible", "q_length=2 kv_length=6 objective=causal cache_positions=6,7,8,-1,4,5", "kv_idx != 3", "");
    add("padding_visible", "q_length=4", "kv_idx <= q_idx", "skipped: no padding");
    add("document_leak", "q_length=4", "kv_idx <= q_idx", "skipped: one document");
    // Prefix and spans see both ways.
    add("prefix_not_bidirectional", "q_length=4 objective=prefix", "kv_idx >= 0", "skipped: prefix_length is not set");
    add("prefix_not_bidirectional", "q_length=4 objective=causal", "kv_idx <= q_idx",
        "skipped: the objective is causal");
    // Two images that see each other, as if they were one span (transformers#38053).
    const std::string images =
        "image = torch.tensor([0, 1, 1, 1, 0, 1, 1, 1, 0])\n"
        "return (kv_idx <= q_idx) | ((image[q_idx] == 1) & (image[kv_idx] == 1))";
    add("span_not_bidirectional", "q_length=9", images.c_str(),
        "asks: keys from 5 on and earlier ones see each other, and keys between them are of no such span (assumed): "
        "set span_ids, one index for each image");
    add("span_not_bidirectional", "q_length=9 objective=causal_spans", images.c_str(),
        "asks: keys from 5 on and earlier ones see each other, and keys between them are of no such span (assumed): "
        "set span_ids, one index for each image");
    add("span_not_bidirectional", "q_length=9 objective=causal_spans span_ids=-1,0,0,0,-1,0,0,0,-1", images.c_str(),
        "");
    add("span_not_bidirectional", "q_length=4 objective=causal_spans span_ids=0,0,-1,-1", "kv_idx <= q_idx",
        "error span_not_bidirectional (0, 1) 1 cells: row 0 does not see key 1: both are in span 0, which sees itself "
        "both ways");
    add("span_not_bidirectional", "q_length=4 objective=causal_spans span_ids=0,0,-1,-1",
        "(kv_idx <= q_idx) | (kv_idx < 2)", "");
    add("span_not_bidirectional", "q_length=4 objective=causal_spans", "kv_idx <= q_idx",
        "asks: the objective is causal_spans: set span_ids, -1 for keys of no span");
    add("polarity_inverted", "q_length=4 objective=prefix", "kv_idx >= 0", "skipped: prefix_length is not set");
    add("polarity_inverted", "q_length=4 objective=causal sparse=true", "kv_idx >= 0",
        "skipped: the expected keys are not known");
    add("polarity_inverted", "q_length=4 objective=causal", "kv_idx > q_idx",
        "error polarity_inverted (0, 0) 10 cells: row 0 does not see key 0: every expected key is masked and every "
        "other key visible, so the polarity is inverted; 10 cells in all");
    add("polarity_inverted", "q_length=4 objective=causal", "(kv_idx > q_idx) & (kv_idx < 3)", "");
    // The result of a row without keys, by the kernel that gets it.
    add("empty_row", "q_length=3 objective=causal", "kv_idx < q_idx",
        "error empty_row (0, -) 1 rows: row 0 sees no key; its softmax is NaN with -inf, zeros in torch SDPA from 2.5 "
        "on, uniform over all keys with finfo.min");
    add("empty_row", "q_length=3 objective=causal dialect=sdpa", "kv_idx < q_idx",
        "error empty_row (0, -) 1 rows: row 0 sees no key; its softmax is zeros in torch SDPA from 2.5 on, NaN before");
    add("empty_row", "q_length=3 objective=causal dialect=flex_attention", "kv_idx < q_idx",
        "error empty_row (0, -) 1 rows: row 0 sees no key; its softmax is zeros in FlexAttention, NaN when compiled "
        "with ROWS_GUARANTEED_SAFE");
    add("empty_row", "q_length=3 objective=causal dialect=mha", "kv_idx < q_idx",
        "error empty_row (0, -) 1 rows: row 0 sees no key; its softmax is NaN");
    add("empty_row", "q_length=3 objective=causal dialect=additive_inf", "kv_idx < q_idx",
        "error empty_row (0, -) 1 rows: row 0 sees no key; its softmax is NaN");
    add("empty_row", "q_length=3 objective=causal dialect=additive_f16", "kv_idx < q_idx",
        "error empty_row (0, -) 1 rows: row 0 sees no key; its softmax is uniform over all keys, masked ones too");
    add("empty_row", "q_length=3 objective=causal dialect=flash_attention", "kv_idx < q_idx",
        "error empty_row (0, -) 1 rows: row 0 sees no key; its softmax is zeros");
    add("empty_row", "q_length=3 objective=causal masked_value=-1e9", "kv_idx < q_idx",
        "error empty_row (0, -) 1 rows: row 0 sees no key; its softmax is uniform over all keys, masked ones too");
    add("empty_row", "q_length=3 objective=causal masked_value=-1e9 dtype=float16", "kv_idx < q_idx",
        "error empty_row (0, -) 1 rows: row 0 sees no key; its softmax is NaN");
    add("empty_row", "q_length=3 objective=causal dialect=jax", "kv_idx < q_idx",
        "error empty_row (0, -) 1 rows: row 0 sees no key; its softmax is uniform over all keys in JAX, masked ones "
        "too");
    add("empty_row", "q_length=3 objective=causal dialect=onnx_attention", "kv_idx < q_idx",
        "error empty_row (0, -) 1 rows: row 0 sees no key; its softmax is zeros in ONNX Attention");
    for (const char* backend : {"jax", "onnx_attention", "mlx", "sdpa"})
      add("empty_row", (std::string("mask=padding q_length=4 padding=1 dialect=") + backend).c_str(), "", "");
    add("empty_row", "mask=padding q_length=4 padding=1 dialect=padding_2d", "",
        "asks: row 0 sees no key and is padding; its softmax is NaN with -inf, zeros in torch SDPA from 2.5 on, "
        "uniform over all keys with finfo.min: set dialect or masked_value");
    add("empty_row", "q_length=3 objective=causal", "kv_idx <= q_idx", "");
    add("empty_row", "mask=padding q_length=4 padding=1", "",
        "asks: row 0 sees no key and is padding; its softmax is NaN with -inf, zeros in torch SDPA from 2.5 on, "
        "uniform over all keys with finfo.min: set dialect or masked_value");
  }
  void rules() { check_rule_row(); }
};

VQSCOPE_TEST(LintMaskRulesTest)
#include "lint_mask_rules_test.moc"
