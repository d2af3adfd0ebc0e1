// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/layer/layer_reading.h"

#include "core/base/sentence.h"
#include "core/config/config_parts.h"
#include "tests/core/config/given_config.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Findings of read_layers() for a config.
std::string config_findings(const char* model_type, const std::string& config) {
  GivenConfig given(config);
  read_layers(given.object, find_model_family(model_type), PositionScheme::rope);
  return given.findings();
}

std::string groups(const std::string& config) {
  GivenConfig given(config);
  check_head_groups(given.object, read_layer_heads(given.object, find_model_family("llama"), "full_attention"));
  return given.findings();
}

}  // namespace

class LayerChecksTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void lists_of_another_length() {
    COMPARE_TEXT(
        config_findings("qwen3", "{'num_hidden_layers': 3, 'layer_types': ['full_attention', 'full_attention']}"),
        "warning: layer_types has 2 items for 3 layers: Hugging Face stops with an error, and the list is not "
        "read here");
    COMPARE_TEXT(
        config_findings("nemotron_h", "{'num_hidden_layers': 4, 'hybrid_override_pattern': 'M*-'}"),
        "warning: hybrid_override_pattern has 3 items for 4 layers: the two lengths must be equal, and the list "
        "is not read here");
    COMPARE_TEXT(
        config_findings("qwen3", "{'num_hidden_layers': 2, 'layer_types': ['full_attention', 'full_attention']}"), "");
    // Layers of multi-token prediction follow those of the model.
    COMPARE_TEXT(config_findings("step3p5",
                                 "{'num_hidden_layers': 1, 'num_nextn_predict_layers': 1, 'sliding_window': 512,"
                                 " 'layer_types': ['full_attention', 'sliding_attention']}"),
                 "");
  }

  void names_that_are_no_type_of_layer() {
    COMPARE_TEXT(
        config_findings("qwen3", "{'num_hidden_layers': 2, 'layer_types': ['full_attention', 'full_atention']}"),
        "warning: layer_types names full_atention, which is no type of layer of Hugging Face: it stops with an "
        "error; did you mean full_attention?");
    QVERIFY(
        config_findings("qwen3", "{'num_hidden_layers': 1, 'layer_types': ['linear_attn']}").starts_with("warning: "));
    for (const char* name : {"full_attention", "linear_attention", "mamba", "conv", "recurrent", "kda", "mlp", "mamba2",
                             "window_attention", "hybrid_indexed"})
      COMPARE_TEXT(config_findings("qwen3", fmt::format("{{'num_hidden_layers': 1, 'layer_types': ['{}']}}", name)),
                   "");
    COMPARE_TEXT(config_findings("new", "{'num_hidden_layers': 1, 'layer_types': ['linear_attn']}"), "");
  }

  void kinds_that_are_not_known() {
    const std::string types = "{'num_hidden_layers': 2, 'layer_types': ['full_attention', '";
    COMPARE_TEXT(config_findings("new", types + "wave']}"),
                 "warning: wave is a kind of layer that this program does not know: such layers are shown with a state "
                 "of unknown size");
    for (const char* name : {"mamba2", "gated_deltanet", "rwkv7", "short_conv", "moe", "attn"})
      COMPARE_TEXT(config_findings("new", types + name + "']}"), "");
  }

  void patterns_of_blocks() {
    COMPARE_TEXT(config_findings("phi3small", "{'num_hidden_layers': 4, 'dense_attention_every_n_layers': 2}"),
                 "note: dense_attention_every_n_layers: the layers whose number from 1 is no multiple of 2 see the "
                 "blocks near a query and every blocksparse_vert_stride-th block before them, not all keys; they are "
                 "shown as full");
    QVERIFY(config_findings("phi3small", "{'num_hidden_layers': 4, 'dense_attention_every_n_layers': 0}")
                .starts_with("note: dense_attention_every_n_layers: all layers see"));
    COMPARE_TEXT(config_findings("phi3small", "{'num_hidden_layers': 4}"), "");
  }

  void windows_without_a_size() {
    const std::string layers = "{'num_hidden_layers': 1, 'layer_types': ['sliding_attention']";
    const std::string warning =
        "warning: layer_types names sliding_attention, but no size of a window applies: Hugging Face stops with an "
        "error, and the layers are shown as full";
    COMPARE_TEXT(config_findings("qwen3", layers + "}"), warning);
    COMPARE_TEXT(config_findings("qwen3", layers + ", 'sliding_window': 64, 'use_sliding_window': false}"), warning);
    COMPARE_TEXT(config_findings("qwen3", layers + ", 'sliding_window': 64, 'use_sliding_window': true}"), "");
    COMPARE_TEXT(config_findings("gemma2", layers + "}"), "");  // whose class has a size
  }

  void query_heads_that_cannot_be_shared_out() {
    COMPARE_TEXT(groups("{'num_attention_heads': 32, 'num_key_value_heads': 7}"),
                 "warning: num_key_value_heads is 7, which does not divide the 32 query heads: readers stop with an "
                 "error");
    QVERIFY(!groups("{'num_attention_heads': 8, 'num_key_value_heads': 16}").empty());
    for (const char* kv : {"8", "32", "1", "null", "'x'", "0"})
      COMPARE_TEXT(groups(fmt::format("{{'num_attention_heads': 32, 'num_key_value_heads': {}}}", kv)), "");
    COMPARE_TEXT(groups("{'num_attention_heads': 128, 'num_key_value_heads': 3, 'kv_lora_rank': 512,"
                        " 'qk_rope_head_dim': 64, 'qk_nope_head_dim': 128}"),
                 "");
  }

  void a_switch_that_a_class_does_not_have() {
    COMPARE_TEXT(
        config_findings("mistral", "{'num_hidden_layers': 1, 'sliding_window': 4096, 'use_sliding_window': false}"),
        "note: use_sliding_window is false, but Hugging Face's class for mistral has no such switch and keeps "
        "the window; set sliding_window to null instead");
    COMPARE_TEXT(
        config_findings("mistral", "{'num_hidden_layers': 1, 'sliding_window': null, 'use_sliding_window': false}"),
        "");
    COMPARE_TEXT(
        config_findings("qwen2", "{'num_hidden_layers': 1, 'sliding_window': 4096, 'use_sliding_window': false}"), "");
  }
};

VQSCOPE_TEST(LayerChecksTest)
#include "layer_checks_test.moc"
