// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/layer/layer_reading.h"

#include "core/config/config_parts.h"
#include "core/schedule/text/layer_texts.h"
#include "tests/core/config/config_cases.h"
#include "tests/core/config/given_config.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The layers as text, without heads and positions.
std::string selected(const char* model_type, const std::string& config) {
  GivenConfig given(config);
  auto layers = read_layers(given.object, find_model_family(model_type), PositionScheme::none);
  for (auto& layer : layers) {
    layer.rope = layer.attention == LayerAttention::state ? -1 : 0;
    layer.positions.clear();
    layer.sink = false;
  }
  return layers_text({.ropes = {}, .layers = std::move(layers)});
}

ConfigReport quoted(std::string json) {
  std::ranges::replace(json, '\'', '"');
  return report_of(json);
}

}  // namespace

class LayerSelectionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The keys of published models, and of models that this program does not know.
  void fields_of_published_configs_data() {
    QTest::addColumn<QString>("model_type");
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("layers");
    const auto add = [](const char* name, const char* type, const char* config, const char* layers) {
      QTest::newRow(name) << type << config << layers;
    };
    add("DeepSeek V3.2", "deepseek_v32", "{'num_hidden_layers': 2, 'index_topk': 1024, 'index_head_dim': 64}",
        "2*sparse:1024 index_dim=64");
    add("GLM 5, class defaults", "glm_moe_dsa", "{'num_hidden_layers': 2}", "2*sparse:2048 index_dim=128");
    add("GLM 5.2, shared indexers", "glm_moe_dsa",
        "{'num_hidden_layers': 3, 'indexer_types': ['full', 'shared', 'full']}",
        "sparse:2048 index_dim=128,sparse:2048,sparse:2048 index_dim=128");
    add("shared by a pattern", "glm_moe_dsa", "{'num_hidden_layers': 3, 'index_topk_pattern': 'FSS'}",
        "sparse:2048 index_dim=128,2*sparse:2048");
    add("shared by a period", "glm_moe_dsa",
        "{'num_hidden_layers': 4, 'index_topk_freq': 2, 'index_skip_topk_offset': 1}",
        "2*(sparse:2048 index_dim=128,sparse:2048)");
    add("MiniMax M3", "minimax_m3",
        "{'num_hidden_layers': 3, 'sparse_attention_config': {'sparse_attention_freq': [0, 1, 1],"
        " 'sparse_block_size': 128, 'sparse_topk_blocks': 16, 'sparse_index_dim': 128}}",
        "full,2*sparse:2048 block=128 index_dim=128");
    add("MiniMax M3, by names", "minimax_m3_vl_text",
        "{'num_hidden_layers': 2, 'layer_types': ['full_attention', 'minimax_m3_sparse'],"
        " 'sparse_attention_config': {'sparse_block_size': 64, 'sparse_topk_blocks': 8}}",
        "full,sparse:512 block=64");
    add("switched off", "minimax_m3",
        "{'num_hidden_layers': 1, 'sparse_attention_config': {'use_sparse_attention': false,"
        " 'sparse_attention_freq': [1], 'sparse_block_size': 64, 'sparse_topk_blocks': 8}}",
        "full");
    add("Qwen 4", "qwen4_exp_text",
        "{'num_hidden_layers': 4, 'indexer_budget': 2048, 'indexer_compress_ratio': 4, 'indexer_head_dim': 128}",
        "3*state,sparse:2048 index_dim=128 index_pool=4");
    add("Qwen 4, by names", "qwen4_exp_text",
        "{'num_hidden_layers': 2, 'layer_types': ['hybrid_indexed', 'linear_attention'], 'indexer_budget': 64}",
        "sparse:64,state");
    add("GLM 5.3, not known", "",
        "{'num_hidden_layers': 4, 'linear_attn_config': {'full_attn_layers': [4]}, 'index_topk': 2048,"
        " 'index_head_dim': 128, 'index_kpool': 4}",
        "3*state,sparse:2048 index_dim=128 index_pool=4");
    add("MiniCPM 4, not known", "",
        "{'num_hidden_layers': 2, 'mixer_types': ['minicpm4', 'lightning-attn'],"
        " 'sparse_config': {'topk': 64, 'block_size': 64, 'window_size': 2048}}",
        "sparse:4096 window=2048 block=64,state");
    add("DeepSeek V4", "deepseek_v4",
        "{'num_hidden_layers': 3, 'compress_ratios': [0, 4, 128, 0], 'sliding_window': 128, 'index_topk': 512,"
        " 'index_head_dim': 128}",
        "sliding:128,compressed:4 window=128 topk=512 index_dim=128,compressed:128 window=128");
    add("DeepSeek V4, class defaults", "deepseek_v4", "{'num_hidden_layers': 5}",
        "3*compressed:128 window=128,compressed:4 window=128 topk=512 index_dim=128,compressed:128 window=128");
    add("DeepSeek V4, its own rates", "deepseek_v4",
        "{'num_hidden_layers': 2, 'layer_types': ['compressed_sparse_attention', 'heavily_compressed_attention'],"
        " 'compress_rates': {'compressed_sparse_attention': 8}, 'compress_rate_hca': 64}",
        "compressed:8 window=128 topk=512 index_dim=128,compressed:64 window=128");
    add("not known at all", "", "{'num_hidden_layers': 2, 'index_topk': 64}", "2*sparse:64");
    add("a dense model", "llama", "{'num_hidden_layers': 2}", "2*full");
  }
  void fields_of_published_configs() {
    QFETCH(QString, model_type);
    QFETCH(QString, config);
    QFETCH(QString, layers);
    COMPARE_TEXT(selected(qPrintable(model_type), config.toStdString()), layers.toStdString());
  }

  /// The indexer of latent attention rotates halves unless the config says otherwise.
  void index_pairs() {
    const std::string latent =
        "'num_hidden_layers': 1, 'kv_lora_rank': 512, 'qk_rope_head_dim': 64,"
        " 'qk_nope_head_dim': 128, 'v_head_dim': 128";
    const auto pairs = [&](const std::string& type, const std::string& more) {
      return quoted("{'model_type': '" + type + "', " + latent + more + "}").schedule.layers[0].index_pairs;
    };
    QVERIFY(pairs("deepseek_v32", "") == PairLayout::half_split);
    QVERIFY(pairs("glm_moe_dsa", ", 'indexer_rope_interleave': false") == PairLayout::half_split);
    QVERIFY(!pairs("glm_moe_dsa", ", 'indexer_rope_interleave': true"));
    QVERIFY(!pairs("deepseek_v3", ""));
  }

  /// 512 numbers a token: of DeepSeek V4 the keys are the values, also where a layer has its window
  /// alone.
  void keys_that_are_values() {
    const auto report = quoted("{'model_type': 'deepseek_v4', 'num_hidden_layers': 2, 'compress_ratios': [0, 4]}");
    QCOMPARE(report.schedule.layers[0].latent, Index{512});
    QCOMPARE(report.schedule.layers[1].latent, Index{512});
    QVERIFY(report.schedule.check());
  }

  void numbers_out_of_range_are_errors() {
    GivenConfig given("{'num_hidden_layers': 1, 'index_topk': 4294967296}");
    read_layers(given.object, find_model_family("deepseek_v32"), PositionScheme::rope);
    COMPARE_TEXT(given.findings(), "error: index_topk is 4294967296 but must be an integer from 1 to 2147483648");
  }
};

VQSCOPE_TEST(LayerSelectionTest)
#include "layer_selection_test.moc"
