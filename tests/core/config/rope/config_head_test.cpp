// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/rope/rope_reading.h"

#include "tests/core/config/given_config.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <optional>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// "64 of 128", "latent 64 of 64", or "nothing", with the findings on lines after it.
std::string head_of(const char* model_type, const std::string& config, const std::string& rope = {},
                    std::string_view layers = {}) {
  GivenConfig given(config);
  std::optional<GivenConfig> scaling;
  if (!rope.empty()) scaling.emplace(rope, "rope_parameters");
  const auto head =
      read_head(given.object, scaling ? &scaling->object : nullptr, find_model_family(model_type), layers);
  std::string text = "nothing";
  if (head)
    text = (head->latent ? "latent " : "") + std::to_string(head->rotated()) + " of " + std::to_string(head->head_dim);
  for (const std::string& findings : {given.findings(), scaling ? scaling->findings() : std::string()})
    if (!findings.empty()) text += "\n" + findings;
  return text;
}

}  // namespace

class ConfigHeadTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void heads_of_published_configs_data() {
    QTest::addColumn<QString>("model_type");
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("head");
    const auto add = [](const char* name, const char* type, const char* config, const char* head) {
      QTest::newRow(name) << type << config << head;
    };
    add("Llama 2 7B", "llama", "{'hidden_size': 4096, 'num_attention_heads': 32}", "128 of 128");
    add("GPT-J 6B", "gptj", "{'n_embd': 4096, 'n_head': 16, 'rotary_dim': 64}", "64 of 256");
    add("Pythia 6.9B", "gpt_neox", "{'hidden_size': 4096, 'num_attention_heads': 32, 'rotary_pct': 0.25}", "32 of 128");
    add("Phi 2", "phi", "{'hidden_size': 2560, 'num_attention_heads': 32, 'partial_rotary_factor': 0.4}", "32 of 80");
    add("Qwen3, null is no default", "qwen3", "{'hidden_size': 2048, 'num_attention_heads': 32, 'head_dim': null}",
        "64 of 64\nnote: head_dim is null: heads have hidden_size / num_attention_heads = 64 dimensions; the default "
        "128 applies only where the key is absent");
    add("GPT-J, the whole head", "gptj", "{'n_embd': 4096, 'n_head': 16, 'rotary_dim': null}", "256 of 256");
    add("Phi-4-mini", "phi3", "{'hidden_size': 3072, 'num_attention_heads': 24, 'partial_rotary_factor': 0.75}",
        "96 of 128");
    add("DeepSeek V3", "deepseek_v3", "{'hidden_size': 7168, 'num_attention_heads': 128, 'qk_rope_head_dim': 64}",
        "latent 64 of 64");
    add("ChatGLM3", "chatglm",
        "{'hidden_size': 4096, 'num_attention_heads': 32, 'kv_channels': 128, 'partial_rotary_factor': 0.5}",
        "64 of 128");
    add("MiniMax-M2", "minimax_m2",
        "{'hidden_size': 3072, 'num_attention_heads': 24, 'head_dim': 128, 'rotary_dim': 64}", "64 of 128");
    add("families that write 0 where they have no latent attention", "llama",
        "{'hidden_size': 512, 'num_attention_heads': 8, 'qk_rope_head_dim': 0}", "64 of 64");
  }
  void heads_of_published_configs() {
    QFETCH(QString, model_type);
    QFETCH(QString, config);
    QFETCH(QString, head);
    COMPARE_TEXT(head_of(model_type.toUtf8(), config.toStdString()), head.toStdString());
  }

  void missing_sizes_are_the_familys_and_reported() {
    COMPARE_TEXT(head_of("llama", "{}"),
                 "128 of 128\n"
                 "note: hidden_size is not given: 4096 is the default of LlamaConfig\n"
                 "note: num_attention_heads is not given: 32 is the default of LlamaConfig");
    COMPARE_TEXT(head_of("gemma3_text", "{}"),
                 "256 of 256\nnote: head_dim is not given: 256 is the default of "
                 "Gemma3TextConfig");
    COMPARE_TEXT(head_of("chatglm", "{'kv_channels': 128}"),
                 "64 of 128\nnote: partial_rotary_factor is not given: 0.5, as in the code of chatglm");
  }

  void two_rotated_parts() {
    COMPARE_TEXT(head_of("minimax_m2", "{'head_dim': 128, 'rotary_dim': 64, 'partial_rotary_factor': 0.5}"),
                 "64 of 128");
    COMPARE_TEXT(head_of("minimax_m2", "{'head_dim': 128, 'rotary_dim': 64}", "{'partial_rotary_factor': 1.0}"),
                 "64 of 128\nwarning: rotary_dim is 64, head_dim · partial_rotary_factor is 128: SGLang and llama.cpp "
                 "use the former, Hugging Face 5 and vLLM the latter");
    COMPARE_TEXT(head_of("minimax_m3_vl_text", "{'head_dim': 128}"),
                 "64 of 128\nnote: partial_rotary_factor is not given: 0.5 is the default of MiniMaxM3VLTextConfig");
  }

  void a_head_dim_wins_over_the_quotient() {
    COMPARE_TEXT(head_of("llama", "{'hidden_size': 4096, 'num_attention_heads': 32, 'head_dim': 64}"),
                 "64 of 64\nnote: head_dim 64 takes precedence over hidden_size / num_attention_heads = 128: a library "
                 "that computes the quotient uses heads of that size");
    COMPARE_TEXT(head_of("llama", "{'hidden_size': 4096, 'num_attention_heads': 32, 'head_dim': 128}"), "128 of 128");
  }

  /// OpenELM has a number of heads for each layer, and a head_dim.
  void heads_of_each_layer_are_not_divided_by() {
    COMPARE_TEXT(head_of("openelm", "{'model_dim': 1280, 'num_attention_heads': [12, 16], 'head_dim': 64}"),
                 "64 of 64");
  }

  void layers_of_a_kind_may_have_heads_of_their_own() {
    const std::string config = "{'head_dim': 256, 'global_head_dim': 512, 'swa_head_dim': 192}";
    COMPARE_TEXT(head_of("llama", config, {}, "full_attention"), "512 of 512");
    COMPARE_TEXT(head_of("llama", config, {}, "sliding_attention"), "192 of 192");
    COMPARE_TEXT(head_of("llama", config), "256 of 256");
  }

  void the_rotated_part_may_stand_in_the_scaling() {
    COMPARE_TEXT(head_of("phi", "{'head_dim': 128}", "{'partial_rotary_factor': 0.25}"), "32 of 128");
    COMPARE_TEXT(head_of("phi", "{'head_dim': 128, 'partial_rotary_factor': 0.5}", "{'partial_rotary_factor': 0.25}"),
                 "32 of 128\nwarning: rope_parameters.partial_rotary_factor is 0.25, partial_rotary_factor is 0.5: "
                 "Hugging Face uses the former");
    COMPARE_TEXT(head_of("phi", "{'head_dim': 128, 'rotary_pct': 0.25}", "{'partial_rotary_factor': 0.25}"),
                 "32 of 128");
  }

  /// int() of the product, as Hugging Face: 0.4 · 80 is 32, 0.9 · 36 is 32.4.
  void a_fraction_is_cut_to_a_whole_number() {
    COMPARE_TEXT(head_of("phi", "{'head_dim': 36, 'partial_rotary_factor': 0.9}"), "32 of 36");
  }

  /// Hugging Face 5 rotates whole heads of Llama, whatever the factor is.
  void a_class_that_does_not_read_the_factor() {
    const auto warning = [](const std::string& path, const std::string& model) {
      return "64 of 128\nwarning: " + path +
             " rotates 64 of 128 dimensions in vLLM, but the class of Hugging Face 5 "
             "for " +
             model + " does not read it: all 128 rotate with rope_type default, and other types fail";
    };
    COMPARE_TEXT(head_of("llama", "{'head_dim': 128, 'partial_rotary_factor': 0.5}"),
                 warning("partial_rotary_factor", "llama"));
    COMPARE_TEXT(head_of("mistral", "{'head_dim': 128, 'rotary_pct': 0.5}"), warning("rotary_pct", "mistral"));
    COMPARE_TEXT(head_of("qwen3", "{'head_dim': 128}", "{'partial_rotary_factor': 0.5}"),
                 warning("rope_parameters.partial_rotary_factor", "qwen3"));
    COMPARE_TEXT(head_of("llama", "{'head_dim': 128, 'partial_rotary_factor': 1.0}"), "128 of 128");
    COMPARE_TEXT(head_of("glm4_moe", "{'head_dim': 128, 'partial_rotary_factor': 0.25}"), "32 of 128");
  }

  void sizes_that_cannot_be_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("error");
    const auto add = [](const char* config, const char* error) { QTest::newRow(config) << config << error; };
    add("{'hidden_size': 100, 'num_attention_heads': 3}",
        "hidden_size 100 / num_attention_heads 3 is not a whole number");
    add("{'d_model': 64, 'n_heads': 64}", "d_model 64 / n_heads 64 is 1, a head must have from 2 to 4096 dimensions");
    add("{'hidden_size': 64}", "neither num_attention_heads nor head_dim is given: the head size is unknown");
    add("{'num_attention_heads': 8}", "neither hidden_size nor head_dim is given: the head size is unknown");
    add("{'head_dim': 5000}", "head_dim is 5000 but must be an integer from 2 to 4096");
    add("{'head_dim': 65}",
        "65 of 65 dimensions of a head are rotated; must be an even number from 2 to an even head size");
    add("{'head_dim': 64, 'rotary_dim': 66}",
        "66 of 64 dimensions of a head are rotated; must be an even number from 2 to an even head size");
    add("{'head_dim': 64, 'rotary_dim': 63}",
        "63 of 64 dimensions of a head are rotated; must be an even number from 2 to an even head size");
    add("{'head_dim': 64, 'partial_rotary_factor': 0.01}",
        "0 of 64 dimensions of a head are rotated; must be an even number from 2 to an even head size");
    add("{'head_dim': 64, 'partial_rotary_factor': 1.5}",
        "partial_rotary_factor is 1.5 but must be a number above 0 and at most 1");
    add("{'qk_rope_head_dim': 63}",
        "63 of 63 dimensions of a head are rotated; must be an even number from 2 to an even head size");
    add("{'qk_rope_head_dim': 'x'}", "qk_rope_head_dim is \"x\" but must be an integer from 2 to 4096");
  }
  void sizes_that_cannot_be() {
    QFETCH(QString, config);
    QFETCH(QString, error);
    COMPARE_TEXT(head_of("new", config.toStdString()), "nothing\nerror: " + error.toStdString());
  }

  void latent_attention_is_a_number_that_is_not_0() {
    const auto latent = [](const std::string& text) {
      GivenConfig given(text);
      return has_latent_attention(given.object, find_model_family(""));
    };
    QVERIFY(latent("{'qk_rope_head_dim': 64}"));
    for (const char* no : {"{}", "{'qk_rope_head_dim': null}", "{'qk_rope_head_dim': 0}", "{'qk_rope_head_dim': 0.0}"})
      QVERIFY2(!latent(no), no);
    // A nested text_config leaves out the defaults of its class.
    COMPARE_TEXT(head_of("deepseek_v3", "{}"),
                 "latent 64 of 64\nnote: qk_rope_head_dim is not given: 64 is the default of DeepseekV3Config");
    QVERIFY(!head_of("deepseek_v2", "{'use_mla': false}").starts_with("latent"));
  }

  /// Latent heads are what is kept for RoPE: no fraction of them is left out.
  void latent_heads_rotate_whole() {
    COMPARE_TEXT(head_of("deepseek_v3", "{'qk_rope_head_dim': 64, 'head_dim': 7, 'partial_rotary_factor': 0.5}"),
                 "latent 64 of 64");
  }
};

VQSCOPE_TEST(ConfigHeadTest)
#include "config_head_test.moc"
