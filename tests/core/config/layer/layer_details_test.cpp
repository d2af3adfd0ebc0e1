// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/layer/layer_reading.h"

#include "tests/core/config/config_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::vector<ModelLayer> layers_from(std::string json) {
  std::ranges::replace(json, '\'', '"');
  return report_of(json).schedule.layers;
}

/// "-1 -1 0": the layer whose keys and values each layer uses.
std::string shared(const std::vector<ModelLayer>& layers) {
  std::string text;
  for (const auto& layer : layers) text += (text.empty() ? "" : " ") + std::to_string(layer.shares_kv_with);
  return text;
}

}  // namespace

class LayerDetailsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// gpt-oss: every layer. MiMo-V2: layers with a window, unless the switches say otherwise.
  void sinks() {
    for (const auto& layer : layers_from("{'model_type': 'gpt_oss', 'num_hidden_layers': 4}")) QVERIFY(layer.sink);
    for (const auto& layer : layers_from("{'model_type': 'llama', 'num_hidden_layers': 4}")) QVERIFY(!layer.sink);
    for (const auto& layer : layers_from("{'model_type': 'mimo_v2_flash'}"))
      QCOMPARE(layer.sink, layer.attention == LayerAttention::sliding);
    for (const auto& layer : layers_from("{'model_type': 'mimo_v2_flash', 'add_swa_attention_sink_bias': false,"
                                         " 'add_full_attention_sink_bias': true}"))
      QCOMPARE(layer.sink, layer.attention == LayerAttention::full);
  }

  /// Llama 4: layers without RoPE, (p + 1) / 8192. Ministral 3: all layers, p / 16384.
  void query_temperature() {
    const QueryTemperature llama{.scale = 0.1, .floor = 8192, .offset = 1};
    const auto layers = layers_from("{'model_type': 'llama4_text', 'num_hidden_layers': 8}");
    QCOMPARE(layers.size(), std::size_t{8});
    for (const auto& layer : layers) {
      QCOMPARE(layer.temperature.has_value(), layer.rope < 0);
      if (layer.temperature) QVERIFY(*layer.temperature == llama);
    }
    for (const char* off : {"false", "0"})
      for (const auto& layer :
           layers_from("{'model_type': 'llama4_text', 'attn_temperature_tuning': " + std::string(off) + "}"))
        QVERIFY(!layer.temperature);
    for (const auto& layer :
         layers_from("{'model_type': 'llama4_text', 'attn_temperature_tuning': 4, 'floor_scale': 64,"
                     " 'attn_scale': 0.5}"))
      QVERIFY(!layer.temperature || (layer.temperature->floor == 64 && layer.temperature->scale == 0.5));
    const auto ministral = layers_from("{'model_type': 'ministral3'}");
    QCOMPARE(ministral.size(), std::size_t{34});
    for (const auto& layer : ministral)
      QVERIFY(layer.temperature && *layer.temperature == (QueryTemperature{.scale = 0.1, .floor = 16384, .offset = 0}));
  }

  /// The last three of six layers use the last full and the last sliding layer before them.
  void shared_keys_and_values() {
    const std::string types =
        "'layer_types': ['sliding_attention', 'full_attention', 'sliding_attention',"
        " 'sliding_attention', 'full_attention', 'sliding_attention'], 'num_hidden_layers': 6}";
    COMPARE_TEXT(shared(layers_from("{'model_type': 'gemma4_text', 'num_kv_shared_layers': 3, " + types)),
                 "-1 -1 -1 2 1 2");
    COMPARE_TEXT(shared(layers_from("{'model_type': 'gemma4_text', " + types)), "-1 -1 -1 -1 -1 -1");
    // Gemma 3n shares 15 of 35 by default: layers 20 to 34 use 18 (sliding) or 19 (full).
    const auto layers = layers_from("{'model_type': 'gemma3n_text'}");
    QCOMPARE(layers.size(), std::size_t{35});
    for (std::size_t i = 0; i < 35; ++i)
      QCOMPARE(layers[i].shares_kv_with, i < 20 ? -1 : layers[i].name == "full_attention" ? 19 : 18);
    COMPARE_TEXT(shared(layers_from("{'model_type': 'hunyuan', 'num_hidden_layers': 4, 'hidden_size': 512,"
                                    " 'num_attention_heads': 4, 'use_cla': true, 'cla_share_factor': 2}")),
                 "-1 0 -1 2");
  }

  void schedules_are_valid() {
    for (const QString& name : preset_names()) {
      const auto report = report_of(preset(name).toStdString());
      const auto checked = report.schedule.check();
      QVERIFY2(checked, checked ? "" : checked.error().message.c_str());
      QCOMPARE(report.schedule.ropes.size(), report.ropes.size());
    }
  }

  /// Qwen2.5-1M, and Qwen 1 whose lengths follow seq_length.
  void longer_sequences() {
    const auto chunked =
        report_of(llama("\"dual_chunk_attention_config\": {\"chunk_size\": 262144, \"local_size\": "
                        "8192, \"original_max_position_embeddings\": 262144}"));
    QVERIFY(chunked.dual_chunk && chunked.dual_chunk->chunk_size == 262144 && chunked.dual_chunk->local_size == 8192);
    const auto qwen = report_of(R"({"model_type": "qwen", "hidden_size": 4096, "num_attention_heads": 32,)"
                                R"( "seq_length": 8192, "use_logn_attn": true, "use_dynamic_ntk": true})");
    QCOMPARE(qwen.logn_length, Index{8192});
    QCOMPARE(qwen.dynamic_ntk_length, Index{8192});
    QCOMPARE(report_of(llama("")).logn_length, Index{0});
  }
};

VQSCOPE_TEST(LayerDetailsTest)
#include "layer_details_test.moc"
