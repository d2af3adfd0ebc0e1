// SPDX-License-Identifier: GPL-3.0-or-later
// Bugs of public projects: the wrong set-up is found by its rule, the right one gives no finding at all.
#include "tests/core/lint/lint_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

struct SetUp {
  std::string settings;
  std::string text;  ///< of the mask; empty: the settings name a preset
};

struct Bug {
  const char* thread;
  const char* rule;  ///< that finds it
  SetUp wrong;
  SetUp right;
};

constexpr const char* causal = "kv_idx <= q_idx";
constexpr const char* everything = "kv_idx >= 0";

std::vector<Bug> window_bugs() {
  const std::string window = "q_length=16 objective=causal window=4";
  const std::string both = "q_length=24 objective=bidirectional window_left=4 window_right=4";
  return {
      {"transformers#39408",
       "window_off",
       {window, "(kv_idx <= q_idx) & (q_idx - kv_idx <= 4)"},
       {window, "(kv_idx <= q_idx) & (q_idx - kv_idx < 4)"}},
      {"Megatron-Bridge#2656",
       "window_argument",
       {"mask=sliding_window sliding_window=4 q_length=16 dialect=flash_attention window_argument=4", ""},
       {"mask=sliding_window sliding_window=4 q_length=16 dialect=flash_attention window_argument=3", ""}},
      {"transformers#41228", "window_off", {window, causal}, {window, "(kv_idx <= q_idx) & (kv_idx > q_idx - 4)"}},
      {"transformers#40700",
       "window_off",
       {both, "(q_idx - kv_idx <= 7) & (kv_idx - q_idx <= 4)"},
       {both, "abs(q_idx - kv_idx) <= 4"}},
      {"transformers#40700, its arguments",
       "window_argument",
       {both + " dialect=flash_attention window_argument=7 window_argument_right=4", "abs(q_idx - kv_idx) <= 4"},
       {both + " dialect=flash_attention window_argument=4 window_argument_right=4", "abs(q_idx - kv_idx) <= 4"}},
      {"transformers#47010",
       "window_off",
       {"q_length=16 objective=bidirectional window_right=4", "kv_idx - q_idx < 4"},
       {"q_length=16 objective=bidirectional window_right=4", "kv_idx - q_idx <= 4"}},
      {"transformers#47010 beside a causal objective",
       "future_visible",
       {"q_length=16 objective=causal window_right=2", "kv_idx - q_idx <= 3"},
       {"q_length=16 objective=causal window_right=2", "kv_idx - q_idx <= 2"}},
      {"libflash_attn#11",
       "future_visible",
       {"q_length=4 objective=causal window=8", everything},
       {"q_length=4 objective=causal window=8", causal}},
      {"a window with sinks",
       "window_off",
       {"q_length=32 objective=causal window=8", "(kv_idx <= q_idx) & ((q_idx - kv_idx < 8) | (kv_idx < 4))"},
       {"q_length=32 objective=causal window=8 sinks=4", "(kv_idx <= q_idx) & ((q_idx - kv_idx < 8) | (kv_idx < 4))"}},
      {"transformers#37351",
       "chunk_off",
       {"q_length=12 objective=causal chunk=4", "(kv_idx <= q_idx) & ((q_idx + 1) // 4 == (kv_idx + 1) // 4)"},
       {"q_length=12 objective=causal chunk=4", "(kv_idx <= q_idx) & (q_idx // 4 == kv_idx // 4)"}},
      {"transformers#37351, a rotating cache",
       "chunk_off",
       {"q_length=1 kv_length=4 past_len=3 objective=causal chunk=4 cache_positions=8,5,6,7", everything},
       {"q_length=1 kv_length=4 past_len=3 objective=causal chunk=4 cache_positions=8,5,6,7", "kv_idx < 1"}},
  };
}

std::vector<Bug> mask_bugs() {
  const std::string spans = "q_length=10 objective=causal_spans span_ids=-1,-1,0,0,0,-1,-1,1,1,1";
  const std::string packed = "q_length=12 document_lengths=5,7 objective=causal";
  const std::string prefix = "q_length=12 document_lengths=6,6 objective=prefix prefix_length=3";
  const char* same_image = "(kv_idx <= q_idx) | ((q_idx // 5 == kv_idx // 5) & (q_idx % 5 >= 2) & (kv_idx % 5 >= 2))";
  return {
      {"transformers#46634",
       "document_leak",
       {packed, causal},
       {packed, "(kv_idx <= q_idx) & (document_id[q_idx] == document_id[kv_idx])"}},
      {"pytorch#108108",
       "key_hidden",
       {"q_length=4 past_len=8 objective=causal", causal},
       {"q_length=4 past_len=8 objective=causal", "kv_idx <= q_idx + 8"}},
      {"pytorch#108108, is_causal alone",
       "double_masking",
       {"mask=decode q_length=4 past_len=8 dialect=sdpa is_causal=true attn_mask=none", ""},
       {"mask=decode q_length=4 past_len=8 dialect=flash_attention is_causal=true attn_mask=none", ""}},
      {"accelerate#4177",
       "double_masking",
       {"mask=sliding_window sliding_window=4 q_length=16 dialect=sdpa is_causal=true attn_mask=none", ""},
       {"mask=causal q_length=16 dialect=sdpa is_causal=true attn_mask=none", ""}},
      {"torch SDPA, both",
       "double_masking",
       {"mask=causal q_length=8 dialect=sdpa is_causal=true", ""},
       {"mask=causal q_length=8 dialect=sdpa", ""}},
      {"gpt-fast#233",
       "future_visible",
       {"q_length=1 past_len=4 kv_length=12 objective=causal", everything},
       {"q_length=1 past_len=4 kv_length=12 objective=causal", "kv_idx <= 4"}},
      {"gpt-fast#233, empty slots",
       "padding_visible",
       {"q_length=1 kv_length=6 cache_positions=0,1,2,3,-1,-1 objective=causal", everything},
       {"q_length=1 kv_length=6 cache_positions=0,1,2,3,-1,-1 objective=causal", "kv_idx < 4"}},
      {"transformers#38080",
       "future_visible",
       {spans, "(kv_idx <= q_idx) | ((q_idx % 5 >= 2) & (kv_idx % 5 >= 2))"},
       {spans, same_image}},
      {"llama.cpp#28318", "span_not_bidirectional", {spans, causal}, {spans, same_image}},
      {"pytorch#103749",
       "empty_row",
       {"mask=padding q_length=8 padding=3 masked_value=-inf", ""},
       {"mask=padding q_length=8 padding=3 masked_value=-65504 dtype=float16", ""}},
      {"mlx#2395",
       "empty_row",
       {"mask=padding q_length=8 padding=3 dialect=additive_inf", ""},
       {"mask=padding q_length=8 padding=3 padding_side=right dialect=additive_inf", ""}},
      {"attention-gym#31",
       "block_mask_reuse",
       {"mask=causal q_length=12 block_mask_q_length=8 block_mask_kv_length=8", ""},
       {"mask=causal q_length=12 block_mask_q_length=12 block_mask_kv_length=12", ""}},
      {"attention-gym#98",
       "block_mask_broadcast",
       {"q_length=8 objective=causal sparse=true block_mask_batch=1 batch_size=4", "(kv_idx <= q_idx) & (kv_idx >= b)"},
       {"q_length=8 objective=causal sparse=true block_mask_batch=4 batch_size=4",
        "(kv_idx <= q_idx) & (kv_idx >= b)"}},
      {"a prefix over documents",
       "document_leak",
       {prefix, "(kv_idx < 3) | (kv_idx <= q_idx)"},
       {prefix, "(q_idx // 6 == kv_idx // 6) & ((kv_idx % 6 < 3) | (kv_idx <= q_idx))"}},
      {"a decode mask that restarts",
       "key_hidden",
       {"q_length=1 past_len=7 objective=causal", causal},
       {"q_length=1 past_len=7 objective=causal", "kv_idx <= q_idx + past_len"}},
      {"an encoder with a causal mask",
       "key_hidden",
       {"q_length=8 objective=bidirectional", causal},
       {"q_length=8 objective=bidirectional", everything}},
      {"a cross mask that is causal",
       "key_hidden",
       {"q_length=6 kv_length=6 objective=cross", causal},
       {"q_length=6 kv_length=6 objective=cross", everything}},
  };
}

std::vector<Bug> position_bugs() {
  const std::string evicted = "q_length=1 kv_length=5 past_len=4 objective=causal cache_positions=0,1,6,7,8 ";
  return {
      {"LLaMA-Factory#7318",
       "packed_positions",
       {"mask=packed q_length=12 document_lengths=5,7 position_ids=0,1,2,3,4,5,6,7,8,9,10,11", ""},
       {"mask=packed q_length=12 document_lengths=5,7 position_ids=0,1,2,3,4,0,1,2,3,4,5,6", ""}},
      {"transformers#44911",
       "cu_seqlens",
       {"mask=packed q_length=7 document_lengths=3,4 cu_seqlens=0,3,7,10,14,17,21 "
        "position_ids=0,1,2,0,1,2,3,0,1,2,0,1,2,3,0,1,2,0,1,2,3",
        ""},
       {"mask=packed q_length=7 document_lengths=3,4 cu_seqlens=0,3,7 "
        "position_ids=0,1,2,0,1,2,3,0,1,2,0,1,2,3,0,1,2,0,1,2,3",
        ""}},
      {"unsloth#3699",
       "left_padding_positions",
       {"mask=decode q_length=1 past_len=7 padding=3 padding_side=left q_position_ids=7", ""},
       {"mask=decode q_length=1 past_len=7 padding=3 padding_side=left q_position_ids=4", ""}},
      {"sglang#25015",
       "cache_offset",
       {"mask=decode q_length=2 past_len=7 position_ids=8,9", ""},
       {"mask=decode q_length=2 past_len=7 position_ids=7,8", ""}},
      {"positions one ahead",
       "position_start",
       {"q_length=4 position_ids=1,2,3,4", ""},
       {"q_length=4 position_ids=0,1,2,3", ""}},
      {"RoBERTa's offset",
       "position_start",
       {"mask=bidirectional q_length=4 position_ids=0,1,2,3 first_position=2", ""},
       {"mask=bidirectional q_length=4 position_ids=2,3,4,5 first_position=2", ""}},
      {"VeloxQuant-MLX#389",
       "cache_positions",
       {evicted + "kv_position_ids=0,1,6,7,8 q_position_ids=4", everything},
       {evicted + "kv_position_ids=0,1,6,7,8 q_position_ids=8", everything}},
      {"llama.cpp#4097",
       "cache_positions",
       {evicted + "kv_position_ids=0,1,6,7,8 q_position_ids=4", everything},
       {evicted + "kv_position_ids=0,1,2,3,4 q_position_ids=4", everything}},
  };
}

std::vector<Bug> value_and_label_bugs() {
  const std::string packed = "mask=packed q_length=6 document_lengths=3,3 ";
  const std::string prefix = "mask=prefix_lm q_length=6 prefix_length=3 ";
  return {
      {"speculators#897",
       "masked_value",
       {"mask=causal q_length=8 masked_value=1,-inf", ""},
       {"mask=causal q_length=8 masked_value=-inf", ""}},
      {"-1e30 in float16",
       "masked_value",
       {"mask=causal q_length=8 masked_value=-1e30 dtype=float16", ""},
       {"mask=causal q_length=8 masked_value=-1e30 dtype=bfloat16", ""}},
      {"finfo(float32).min in bfloat16",
       "masked_value",
       {"mask=causal q_length=8 masked_value=-3.4028235e38 dtype=bfloat16", ""},
       {"mask=causal q_length=8 masked_value=-3.3895314e38 dtype=bfloat16", ""}},
      {"-1 for masked",
       "masked_value",
       {"mask=causal q_length=8 masked_value=-1", ""},
       {"mask=causal q_length=8 masked_value=-10000", ""}},
      {"keras-hub#2977",
       "alibi_bias",
       {"mask=decode q_length=1 past_len=4 alibi_bias=0", ""},
       {"mask=decode q_length=1 past_len=4 alibi_bias=-2,-1.5,-1,-0.5,0", ""}},
      {"ALiBi against the distance",
       "alibi_bias",
       {"mask=decode q_length=1 past_len=4 alibi_bias=2,1.5,1,0.5,0", ""},
       {"mask=decode q_length=1 past_len=4 alibi_bias=0,0.5,1,1.5,2", ""}},
      {"torchtitan#4075",
       "label_leak",
       {packed + "labels=11,12,13,14,15,-100", ""},
       {packed + "labels=11,12,-100,14,15,-100", ""}},
      {"unsloth#8959",
       "label_leak",
       {packed + "labels=1,2,3,4,5,6 labels_are=shifted", ""},
       {packed + "labels=1,2,3,-100,5,6 labels_are=shifted", ""}},
      {"labels aligned",
       "label_leak",
       {packed + "labels=11,12,13,14,15,-100 labels_are=aligned", ""},
       {packed + "labels=10,11,-100,12,13,-100 labels_are=aligned", ""}},
      {"labels on the prefix",
       "label_leak",
       {prefix + "labels=1,2,3,4,5,6", ""},
       {prefix + "labels=-100,-100,3,4,5,-100", ""}},
      {"labels on the prefix, shifted",
       "label_leak",
       {prefix + "labels=-100,2,3,4,5,6 labels_are=shifted", ""},
       {prefix + "labels=-100,-100,-100,4,5,6 labels_are=shifted", ""}},
      {"labels shifted twice",
       "label_leak",
       {"q_length=5 input_ids=5,6,7,8,9 labels=7,8,9,-100,-100", ""},
       {"q_length=5 input_ids=5,6,7,8,9 labels=6,7,8,9,-100", ""}},
      {"next-token labels of an encoder",
       "label_leak",
       {"mask=bidirectional q_length=5 labels=6,7,8,9,-100 labels_are=aligned", ""},
       {"mask=bidirectional q_length=5 labels=-100,6,-100,8,-100", ""}},
      {"a batch without a label",
       "labels",
       {"q_length=4 labels=-100,-100,-100,-100", ""},
       {"q_length=4 labels=1,2,3,-100", ""}},
      {"flash-attention, is_causal",
       "double_masking",
       {"mask=bidirectional q_length=4 dialect=flash_attention is_causal=true", ""},
       {"mask=causal q_length=4 dialect=flash_attention is_causal=true", ""}},
  };
}

std::vector<Bug> all_bugs() {
  std::vector<Bug> all = window_bugs();
  for (const auto& more : {mask_bugs(), position_bugs(), value_and_label_bugs()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

LintReport report_of(const SetUp& given) {
  const auto made = Stated(given.settings, given.text).made();
  if (!made) return {.findings = {{.rule = "refused", .sentence = made.error().message}}};
  return lint_mask(*made);
}

}  // namespace

class LintBugsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void wrongMasksHaveFindingsAndRightOnesNone_data() {
    QTest::addColumn<int>("bug");
    const auto all = all_bugs();
    for (std::size_t i = 0; i < all.size(); ++i)
      QTest::newRow((std::string(all[i].thread) + ": " + all[i].rule).c_str()) << static_cast<int>(i);
  }

  void wrongMasksHaveFindingsAndRightOnesNone() {
    QFETCH(int, bug);
    const Bug given = all_bugs()[static_cast<std::size_t>(bug)];
    const auto wrong = report_of(given.wrong);
    QVERIFY2(std::ranges::count(wrong.findings, given.rule, &Finding::rule) > 0,
             ("not found: " + lines(wrong)).c_str());
    COMPARE_TEXT(lines(report_of(given.right)), "");
  }
};

VQSCOPE_TEST(LintBugsTest)
#include "lint_bugs_test.moc"
