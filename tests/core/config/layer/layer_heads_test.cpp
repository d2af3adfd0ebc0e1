// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/layer/layer_reading.h"

#include "tests/core/config/given_config.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// "32 heads, 8 kv, head_dim 128, v 0, latent 0".
std::string heads(const char* model_type, const std::string& config, const char* layers = "full_attention") {
  GivenConfig given(config);
  const auto all = read_layer_heads(given.object, find_model_family(model_type), layers);
  std::string text;
  for (const Index each : {all.heads, all.key_value_heads, all.head_dim, all.v_head_dim, all.latent})
    text += (text.empty() ? "" : " ") + std::to_string(each);
  return text + given.findings();
}

}  // namespace

class LayerHeadsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Heads, key-value heads, head_dim, v_head_dim, latent.
  void by_family() {
    COMPARE_TEXT(heads("llama", "{}"), "32 32 128 0 0");
    COMPARE_TEXT(heads("llama", "{'num_attention_heads': 64, 'hidden_size': 8192, 'num_key_value_heads': 8}"),
                 "64 8 128 0 0");
    COMPARE_TEXT(heads("mistral", "{}"), "32 8 128 0 0");
    COMPARE_TEXT(heads("mistral", "{'num_key_value_heads': null}"), "32 32 128 0 0");
    // GLM 5.3: latent attention of which no part rotates.
    COMPARE_TEXT(heads("",
                       "{'num_attention_heads': 64, 'kv_lora_rank': 512, 'qk_nope_head_dim': 256,"
                       " 'qk_rope_head_dim': 0, 'v_head_dim': 256}"),
                 "64 64 256 256 512");
    COMPARE_TEXT(heads("gemma3_text", "{'hidden_size': 2560}"), "8 4 256 0 0");
    // Falcon 7B: one head for all queries; 40B: num_kv_heads with the new architecture.
    COMPARE_TEXT(heads("falcon", "{'num_attention_heads': 71, 'hidden_size': 4544}"), "71 1 64 0 0");
    COMPARE_TEXT(heads("falcon",
                       "{'new_decoder_architecture': true, 'num_kv_heads': 8, 'num_attention_heads': 128,"
                       " 'hidden_size': 8192}"),
                 "128 8 64 0 0");
    COMPARE_TEXT(heads("gpt_bigcode", "{'n_head': 48, 'n_embd': 6144}"), "48 1 128 0 0");
    COMPARE_TEXT(heads("chatglm",
                       "{'num_attention_heads': 32, 'kv_channels': 128, 'multi_query_attention': true,"
                       " 'multi_query_group_num': 2}"),
                 "32 2 128 0 0");
    COMPARE_TEXT(heads("dbrx", "{'n_heads': 48, 'd_model': 6144, 'attn_config': {'kv_n_heads': 8}}"), "48 8 128 0 0");
  }

  /// Gemma 4: full layers have head_dim 512, and key-value heads of their own with attention_k_eq_v
  /// alone.
  void by_layer() {
    const std::string gemma = "{'num_key_value_heads': 8, 'num_global_key_value_heads': 2, 'attention_k_eq_v': true}";
    COMPARE_TEXT(heads("gemma4_text", gemma), "8 2 512 0 0");
    COMPARE_TEXT(heads("gemma4_text", gemma, "sliding_attention"), "8 8 256 0 0");
    COMPARE_TEXT(heads("gemma4_text", "{'num_key_value_heads': 8, 'num_global_key_value_heads': 2}"), "8 8 512 0 0");
    COMPARE_TEXT(heads("gemma4_text", "{'global_head_dim': 128}"), "8 4 128 0 0");
    const std::string mimo =
        "{'swa_num_attention_heads': 64, 'swa_num_key_value_heads': 8, 'swa_head_dim': 192, 'swa_v_head_dim': 128,"
        " 'num_key_value_heads': 4, 'head_dim': 192, 'v_head_dim': 128}";
    COMPARE_TEXT(heads("mimo_v2_flash", mimo), "64 4 192 128 0");
    COMPARE_TEXT(heads("mimo_v2_flash", mimo, "sliding_attention"), "64 8 192 128 0");
  }

  /// DeepSeek V3 caches 512 + 64 numbers a token; its heads have 128 + 64 dimensions.
  void latent_attention() {
    COMPARE_TEXT(heads("deepseek_v3",
                       "{'kv_lora_rank': 512, 'qk_rope_head_dim': 64, 'qk_nope_head_dim': 128,"
                       " 'v_head_dim': 128, 'num_attention_heads': 128}"),
                 "128 128 192 128 576");
    COMPARE_TEXT(heads("deepseek_v3", "{}"), "128 128 192 128 576");
    COMPARE_TEXT(heads("deepseek_v3", "{'use_mla': false, 'num_attention_heads': 32, 'hidden_size': 4096}"),
                 "32 32 128 0 0");
    // Class defaults: MiniCPM3, A.X-K1, A.X-K2, Mistral 4, LongCat, Youtu, Kimi K2 (read as
    // DeepSeek V3), GLM 5.3.
    COMPARE_TEXT(heads("minicpm3", "{}"), "40 40 96 64 288");
    COMPARE_TEXT(heads("axk1", "{}"), "64 64 192 128 576");
    COMPARE_TEXT(heads("axk2", "{}"), "32 32 96 64 160");
    COMPARE_TEXT(heads("mistral4", "{}"), "32 32 128 128 320");
    COMPARE_TEXT(heads("longcat_flash", "{}"), "64 64 192 128 1152");  // two attentions in each layer
    COMPARE_TEXT(heads("youtu", "{}"), "16 16 192 128 576");
    COMPARE_TEXT(heads("kimi_k2", "{'num_attention_heads': 64}"), "64 64 192 128 576");
    COMPARE_TEXT(heads("glm5_next_text", "{}"), "64 64 256 256 512");
  }

  void unknown_sizes_are_0() {
    COMPARE_TEXT(heads("new", "{}"), "0 0 0 0 0");
    COMPARE_TEXT(heads("new", "{'num_attention_heads': -3, 'num_key_value_heads': 'x'}"), "0 0 0 0 0");
  }
};

VQSCOPE_TEST(LayerHeadsTest)
#include "layer_heads_test.moc"
