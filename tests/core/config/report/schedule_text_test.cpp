// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/report/report_output.h"

#include "core/io/json/json_value.h"
#include "tests/core/config/config_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

ConfigReport reported(std::string json) {
  std::ranges::replace(json, '\'', '"');
  return report_of(json);
}

}  // namespace

class ScheduleTextTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void gemma_3() {
    COMPARE_TEXT(schedule_text(reported("{'model_type': 'gemma3_text', 'num_hidden_layers': 13,"
                                        " 'sliding_window': 1024}")),
                 "\nLayers\n"
                 "  layers 0-4, 6-10, 12: sliding, window 1024; RoPE of sliding_attention; 4 key-value heads of 256\n"
                 "  layers 5, 11: full; RoPE of full_attention; 4 key-value heads of 256\n");
  }

  void llama_4() {
    COMPARE_TEXT(schedule_text(reported("{'model_type': 'llama4_text', 'num_hidden_layers': 4}")),
                 "\nLayers\n"
                 "  layers 0-2: chunked, chunks of 8192; RoPE; 8 key-value heads of 128\n"
                 "  layer 3: full; no positions; queries × 1 + 0.1 · log(1 + ⌊(p + 1) / 8192⌋); 8 key-value heads of "
                 "128\n");
  }

  void states_and_latent_attention() {
    COMPARE_TEXT(schedule_text(reported("{'model_type': 'qwen3_next', 'num_hidden_layers': 4}")),
                 "\nLayers\n"
                 "  layers 0-2: state (linear_attention)\n"
                 "  layer 3: full; RoPE; 2 key-value heads of 256\n");
    COMPARE_TEXT(schedule_text(reported("{'model_type': 'deepseek_v3', 'num_hidden_layers': 2, 'kv_lora_rank': 512,"
                                        " 'qk_rope_head_dim': 64, 'qk_nope_head_dim': 128, 'v_head_dim': 128}")),
                 "\nLayers\n"
                 "  layers 0-1: full; RoPE; 576 latent numbers per token\n");
  }

  void selections() {
    COMPARE_TEXT(schedule_text(reported("{'model_type': 'deepseek_v32', 'num_hidden_layers': 2, 'kv_lora_rank': 512,"
                                        " 'qk_rope_head_dim': 64, 'qk_nope_head_dim': 128, 'v_head_dim': 128}")),
                 "\nLayers\n"
                 "  layers 0-1: sparse, top 2048 keys per query; RoPE; 576 latent numbers per token; indexer of 128 "
                 "numbers per token, half-split pairs\n");
  }

  /// Half of 2 · 8 heads · 64 dimensions · 2 bytes is in the window: 1024 tokens of 8192.
  void caches() {
    const std::string gemma =
        "{'model_type': 'gemma3_text', 'num_hidden_layers': 2, 'sliding_window_pattern': 2,"
        " 'sliding_window': 1024, 'num_key_value_heads': 1, 'max_position_embeddings': 8192}";
    COMPARE_TEXT(cache_text(reported(gemma)),
                 "\nCache of 8192 tokens\n  9 MiB with 16-bit numbers, 16 MiB if all attention layers were full\n");
    COMPARE_TEXT(cache_text(reported("{'hidden_size': 64}")), "");
  }

  void unknown_layers_have_no_text() { COMPARE_TEXT(schedule_text(reported("{'hidden_size': 64}")), ""); }

  void json() {
    const auto report = reported("{'model_type': 'gpt_oss', 'num_hidden_layers': 1, 'sliding_window': 128}");
    const std::string text =
        indented_json(JsonArray(std::get<JsonArray>(schedule_json(report.schedule)["layers"].data())));
    for (const char* part :
         {R"("attention": "sliding")", R"("window": 128)", R"("sink": true)", R"("rope": 0)", R"("positions": "rope")",
          R"("temperature": null)", R"("num_key_value_heads": 8)", R"("head_dim": 64)", R"("latent": null)",
          R"("name": "sliding_attention")", R"("shares_kv_with": null)"})
      QVERIFY2(text.find(part) != std::string::npos, (part + text).c_str());
  }
};

VQSCOPE_TEST(ScheduleTextTest)
#include "schedule_text_test.moc"
