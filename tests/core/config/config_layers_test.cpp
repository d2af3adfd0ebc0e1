// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/config/config_parts.h"
#include "tests/core/config/given_config.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// "22 sliding_attention 4096 rope, 4 full_attention": count, name, window, whether it has RoPE.
std::string shown(const std::vector<LayerKind>& kinds) {
  std::string text;
  for (const auto& kind : kinds) {
    text += (text.empty() ? "" : ", ") + std::to_string(kind.count) + " " + kind.name;
    if (kind.window > 0) text += " " + std::to_string(kind.window);
    if (kind.two_sided) text += " two-sided";
    if (kind.rope) text += " rope";
  }
  return text;
}

std::string layers_of(const char* model_type, const std::string& config, bool rope = true) {
  GivenConfig given(config);
  const auto kind = rope ? PositionScheme::rope : PositionScheme::none;
  return shown(layer_kinds(read_layers(given.object, find_model_family(model_type), kind)));
}

}  // namespace

class ConfigLayersTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Layers by the classes of Hugging Face transformers, without these keys or with those given.
  void schedules_of_families_data() {
    QTest::addColumn<QString>("model_type");
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("layers");
    const auto add = [](const char* type, const char* config, const char* layers) {
      QTest::addRow("%s %s", type, config) << type << config << layers;
    };
    add("llama", "{}", "32 full_attention rope");
    add("llama", "{'num_hidden_layers': 80, 'sliding_window': 4096}", "80 full_attention rope");
    // Mistral 7B v0.1 has a window of 4096 on every layer; v0.3 has null.
    add("mistral", "{}", "32 sliding_attention 4096 rope");
    add("mistral", "{'sliding_window': null}", "32 full_attention rope");
    // Gemma 2: every other layer is full, beginning with a window; Gemma 3: one of six.
    add("gemma2", "{}", "13 sliding_attention 4096 rope, 13 full_attention rope");
    add("gemma3_text", "{}", "22 sliding_attention 4096 rope, 4 full_attention rope");
    add("gemma3_text", "{'sliding_window_pattern': 2, 'num_hidden_layers': 5, 'sliding_window': 512}",
        "3 sliding_attention 512 rope, 2 full_attention rope");
    add("gpt_oss", "{'num_hidden_layers': 24}", "12 sliding_attention 128 rope, 12 full_attention rope");
    // Qwen 2 wants the switch, and then slides from max_window_layers on.
    add("qwen2", "{'sliding_window': 4096, 'max_window_layers': 20}", "32 full_attention rope");
    add("qwen2", "{'use_sliding_window': false, 'max_window_layers': 0}", "32 full_attention rope");
    add("qwen2", "{'use_sliding_window': true, 'max_window_layers': 20, 'num_hidden_layers': 28}",
        "20 full_attention rope, 8 sliding_attention 4096 rope");
    add("qwen3_moe", "{'use_sliding_window': true, 'sliding_window': 4096, 'max_window_layers': 20}",
        "24 sliding_attention 4096 rope");
    // ModernBERT: the first of three is full, the others see 64 tokens to either side.
    add("modernbert", "{'local_attention': 128}",
        "8 full_attention two-sided rope, 14 sliding_attention 128 two-sided rope");
    add("modernbert-decoder", "{'local_attention': 128}", "8 full_attention rope, 14 sliding_attention 64 rope");
    add("modernbert-decoder", "{}", "8 full_attention rope, 14 sliding_attention 64 rope");
    // Other encoders, and decoders that are switched.
    add("eurobert", "{}", "12 full_attention two-sided rope");
    add("roformer", "{'is_decoder': true}", "12 full_attention rope");
    add("qwen2", "{'is_causal': false, 'num_hidden_layers': 28}", "28 full_attention two-sided rope");
    add("gemma3_text", "{'use_bidirectional_attention': true}",
        "22 sliding_attention 4096 two-sided rope, 4 full_attention two-sided rope");
    add("gemma4_text", "{'use_bidirectional_attention': 'vision', 'num_hidden_layers': 6}",
        "5 sliding_attention 512 rope, 1 full_attention rope");
    // Cohere 2: RoPE in the windows alone. SmolLM3: none on each fourth layer. Llama 4: chunks
    // where there is RoPE.
    add("cohere2", "{}", "30 sliding_attention 4096 rope, 10 full_attention");
    add("smollm3", "{}", "27 full_attention rope, 9 full_attention");
    add("smollm3", "{'no_rope_layer_interval': 2, 'num_hidden_layers': 4}", "2 full_attention rope, 2 full_attention");
    add("smollm3", "{'no_rope_layers': [0, 1, 1], 'num_hidden_layers': 3}", "1 full_attention, 2 full_attention rope");
    add("llama4_text", "{}", "36 chunked_attention 8192 rope, 12 full_attention");
    add("llama4_text", "{'attention_chunk_size': 4096, 'num_hidden_layers': 4}",
        "3 chunked_attention 4096 rope, 1 full_attention");
    add("granite_swa",
        "{'num_hidden_layers': 4, 'layer_rope_theta': [0, 10000, 10000, 10000], 'layer_types': "
        "['full_attention', 'full_attention', 'full_attention', 'full_attention']}",
        "1 full_attention, 3 full_attention rope");
    // A state on three of four layers, or two of three, where attention is local.
    add("qwen3_next", "{}", "36 linear_attention, 12 full_attention rope");
    add("recurrent_gemma", "{}", "18 recurrent, 8 sliding_attention 2048 rope");
    add("recurrent_gemma", "{'block_types': ['recurrent', 'recurrent', 'attention'], 'num_hidden_layers': 5}",
        "4 recurrent, 1 sliding_attention 2048 rope");
    // EXAONE 4: without a window every layer has RoPE.
    add("exaone4", "{'sliding_window_pattern': 'LLLG', 'sliding_window': 4096, 'num_hidden_layers': 8}",
        "6 sliding_attention 4096 rope, 2 full_attention");
    add("exaone4", "{'sliding_window': null, 'sliding_window_pattern': null, 'num_hidden_layers': 30}",
        "30 full_attention rope");
    add("exaone4",
        "{'sliding_window': null, 'num_hidden_layers': 2, 'layer_types': ['full_attention', 'full_attention']}",
        "2 full_attention rope");
    add("exaone4", "{'num_hidden_layers': 2, 'layer_types': ['full_attention', 'full_attention']}", "2 full_attention");
    add("exaone4", "{'num_hidden_layers': 64}", "48 sliding_attention 4096 rope, 16 full_attention");
    add("cohere2", "{'sliding_window': null, 'num_hidden_layers': 4}", "4 full_attention");
    // Cohere 2 MoE: dense layers come first; they rotate without a window, and the pattern begins
    // after them.
    add("cohere2_moe", "{'num_hidden_layers': 8}", "6 sliding_attention 4096 rope, 2 full_attention");
    add("cohere2_moe", "{'num_hidden_layers': 9, 'first_k_dense_replace': 1}",
        "1 full_attention rope, 6 sliding_attention 4096 rope, 2 full_attention");
    add("cohere2_moe", "{'num_hidden_layers': 6, 'first_k_dense_replace': 2, 'prefix_dense_sliding_window_pattern': 2}",
        "4 sliding_attention 4096 rope, 2 full_attention");
    add("cohere2_moe",
        "{'num_hidden_layers': 3, 'mlp_layer_types': ['dense', 'sparse', 'sparse'], "
        "'layer_types': ['full_attention', 'sliding_attention', 'full_attention']}",
        "1 full_attention rope, 1 sliding_attention 4096 rope, 1 full_attention");
    // Cohere Compass: a scaling of null means no RoPE.
    add("cohere_compass_text",
        "{'num_hidden_layers': 2, 'layer_types': ['sliding_attention', 'full_attention'], "
        "'rope_parameters': {'sliding_attention': {'rope_theta': 10000}, 'full_attention': null}}",
        "1 sliding_attention 4096 rope, 1 full_attention");
    add("cohere_compass_text", "{}", "40 full_attention rope");
    // OpenAI's privacy filter: 128 tokens to either side of a token.
    add("openai_privacy_filter", "{}", "8 sliding_attention 256 two-sided rope");
    add("openai_privacy_filter", "{'sliding_window': 64}", "8 sliding_attention 128 two-sided rope");
    add("diffusion_gemma_text", "{}", "25 sliding_attention 512 rope, 5 full_attention rope");
    add("zaya", "{'num_hidden_layers': 2, 'sliding_window': 512, 'layer_types': ['hybrid', 'hybrid_sliding']}",
        "1 full_attention rope, 1 sliding_attention 512 rope");
    // Qwen 2 MoE: every other layer below max_window_layers.
    add("qwen2_moe", "{'sliding_window': 4096, 'max_window_layers': 4}", "24 full_attention rope");
    add("qwen2_moe", "{'use_sliding_window': true, 'max_window_layers': 4, 'num_hidden_layers': 6}",
        "2 sliding_attention 4096 rope, 4 full_attention rope");
    add("qwen2_moe", "{'use_sliding_window': true}", "12 sliding_attention 4096 rope, 12 full_attention rope");
  }
  void schedules_of_families() {
    QFETCH(QString, model_type);
    QFETCH(QString, config);
    QFETCH(QString, layers);
    COMPARE_TEXT(layers_of(model_type.toUtf8(), config.toStdString()), layers.toStdString());
  }

  void relative_layers() {
    COMPARE_TEXT(layers_of("inkling_text", "{}", false), "55 sliding_attention 512, 11 full_attention");
    COMPARE_TEXT(layers_of("inkling_text", "{'num_hidden_layers': 3, 'local_layer_ids': [0, 2]}", false),
                 "2 sliding_attention 512, 1 full_attention");
  }

  /// Jamba: attn_layer_period 8, offset 4: layers 4, 12, 20 and 28 of 32 attend, none has
  /// positions.
  void without_rope_no_layer_has_it() {
    COMPARE_TEXT(layers_of("jamba", "{'attn_layer_period': 8, 'attn_layer_offset': 4}", false),
                 "28 mamba, 4 full_attention");
    COMPARE_TEXT(layers_of("gemma2", "{}", false), "13 sliding_attention 4096, 13 full_attention");
  }

  void a_list_wins_over_the_familys_rule() {
    COMPARE_TEXT(layers_of("gemma2",
                           "{'layer_types': ['full_attention', 'full_attention', 'sliding_attention'],"
                           " 'num_hidden_layers': 3}"),
                 "2 full_attention rope, 1 sliding_attention 4096 rope");
  }

  /// SmallThinker: one list for the windows, one for RoPE (rope_layout[layer] in the SGLang that
  /// its authors publish).
  void lists_of_windows_and_of_rope() {
    COMPARE_TEXT(layers_of("new",
                           "{'num_hidden_layers': 4, 'sliding_window_size': 64, 'sliding_window_layout': [0, 1, 1, 1],"
                           " 'rope_layout': [0, 1, 1, 0]}"),
                 "1 full_attention, 2 sliding_attention 64 rope, 1 sliding_attention 64");
  }

  /// A list of another length than the number of layers is of something else.
  void a_list_that_does_not_fit_is_left_alone() {
    COMPARE_TEXT(layers_of("gemma2", "{'layer_types': ['full_attention'], 'num_hidden_layers': 2}"),
                 "1 sliding_attention 4096 rope, 1 full_attention rope");
  }

  void unknown_model_has_the_layers_it_lists() {
    COMPARE_TEXT(layers_of("new", "{'num_hidden_layers': 12}"), "");
    COMPARE_TEXT(layers_of("new", "{'layer_types': ['sliding_attention', 'conv'], 'sliding_window': 64}"),
                 "1 sliding_attention 64 rope, 1 conv");
    COMPARE_TEXT(layers_of("bamba", "{}"), "");  // which layers attend stands in the config alone
  }

  void wrong_numbers_of_layers() {
    for (const char* count : {"0", "-1", "4097", "'12'", "2.5"}) {
      GivenConfig given("{'num_hidden_layers': " + std::string(count) + "}");
      QVERIFY2(read_layers(given.object, find_model_family("llama"), PositionScheme::rope).empty(), count);
      QVERIFY2(given.findings().starts_with("error: num_hidden_layers is "), count);
    }
    COMPARE_TEXT(layers_of("llama", "{'n_layer': 4096}"), "4096 full_attention rope");
  }

  void attention_layer_names() {
    for (const char* name : {"full_attention", "sliding_attention", "chunked_attention", "my_attention"})
      QVERIFY2(attends(name), name);
    for (const char* name : {"linear_attention", "mamba", "conv", "recurrent", "jet", "moe", ""})
      QVERIFY2(!attends(name), name);
  }

  /// Every layer is of one kind, and kinds differ.
  void kinds_are_disjoint_and_complete() {
    for (const auto rows : {rope_families(), hybrid_families()})
      for (const auto& family : rows)
        for (const Index count : {1, 7, 24}) {
          GivenConfig given("{'num_hidden_layers': " + std::to_string(count) + "}");
          const auto kinds = layer_kinds(read_layers(given.object, family, PositionScheme::rope));
          Index all = 0;
          for (std::size_t i = 0; i < kinds.size(); ++i) {
            all += kinds[i].count;
            for (std::size_t j = 0; j < i; ++j)
              QVERIFY2(kinds[i].name != kinds[j].name || kinds[i].rope != kinds[j].rope, family.model_type.data());
          }
          QVERIFY2(kinds.empty() || all == count, family.model_type.data());
        }
  }
};

VQSCOPE_TEST(ConfigLayersTest)
#include "config_layers_test.moc"
