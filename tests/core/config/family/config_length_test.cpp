// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/family/family_reading.h"

#include "core/base/text.h"
#include "tests/core/config/given_config.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string key_of(const std::string& config, const char* model_type = "new") {
  GivenConfig given(config);
  return length_key(given.object, find_model_family(model_type));
}

/// "rope_theta = 10000", with what it is multiplied by, and the findings on lines after it.
std::string theta_of(const std::string& config, const std::string& key = "rope_theta") {
  GivenConfig given(config);
  const ConfigTheta theta = read_config_theta(given.object, key);
  std::string text = theta.key + " = " + (theta.value ? plain_text(*theta.value) : "nothing");
  if (theta.ratio != 1) text += " * " + plain_text(theta.ratio);
  const std::string findings = given.findings();
  return findings.empty() ? text : text + "\n" + findings;
}

}  // namespace

class ConfigLengthTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Keys as published configs have them: GPT-2, DBRX, Qwen 1, ChatGLM, OpenELM, Nomic.
  void the_key_with_the_length() {
    COMPARE_TEXT(key_of("{}"), "max_position_embeddings");
    for (const char* key :
         {"max_position_embeddings", "n_positions", "max_seq_len", "max_sequence_length", "seq_length",
          "max_context_length", "model_max_length", "max_seq_length", "max_seqlen", "n_ctx"})
      COMPARE_TEXT(key_of("{'" + std::string(key) + "': 8}"), key);
    COMPARE_TEXT(key_of("{'n_ctx': 8, 'n_positions': 9}"), "n_positions");
    COMPARE_TEXT(key_of("{'max_position_embeddings': null, 'n_ctx': 8}"), "n_ctx");
  }

  void the_familys_own_key_wins_where_it_is_given() {
    COMPARE_TEXT(key_of("{'seq_length': 8, 'max_position_embeddings': 9}", "chatglm"), "seq_length");
    COMPARE_TEXT(key_of("{'max_position_embeddings': 9}", "chatglm"), "max_position_embeddings");
    COMPARE_TEXT(key_of("{}", "chatglm"), "seq_length");
    COMPARE_TEXT(key_of("{'max_seq_len': 8, 'max_position_embeddings': 9}", "llama"), "max_position_embeddings");
  }

  /// GPT-NeoX rotary_emb_base, Qwen 1 rotary_emb_base, Persimmon and others; InternLM 1 and DBRX
  /// inside an object.
  void theta_under_its_names() {
    COMPARE_TEXT(theta_of("{}"), "rope_theta = nothing");
    COMPARE_TEXT(theta_of("{'rope_theta': 500000.0}"), "rope_theta = 500000");
    COMPARE_TEXT(theta_of("{'rotary_emb_base': 10000}"), "rotary_emb_base = 10000");
    COMPARE_TEXT(theta_of("{'rope_freq_constant': 10000}"), "rope_freq_constant = 10000");
    COMPARE_TEXT(theta_of("{'attn_config': {'rope_theta': 500000}}"), "rope_theta = 500000");
    COMPARE_TEXT(theta_of("{'rotary': {'base': 10000, 'type': 'dynamic'}}"), "rope_theta = 10000");
    COMPARE_TEXT(theta_of("{'rope_theta': 7, 'attn_config': {'rope_theta': 500000}}"), "rope_theta = 7");
    COMPARE_TEXT(theta_of("{'rotary': true}"), "rope_theta = nothing");
  }

  /// ChatGLM3-6b-32k: rope_ratio 50.
  void chatglm_multiplies_it() {
    COMPARE_TEXT(theta_of("{'rope_ratio': 50}"), "rope_theta = nothing * 50");
    COMPARE_TEXT(theta_of("{'rope_ratio': 1.0}"), "rope_theta = nothing");
    COMPARE_TEXT(theta_of("{'rope_ratio': 0}"),
                 "rope_theta = nothing\nerror: rope_ratio is 0 but must be a number above 0 and at most 1000000");
  }

  /// For layers with a window, the other names are ignored.
  void theta_of_window_layers_has_no_aliases() {
    COMPARE_TEXT(theta_of("{'rope_theta': 1000000, 'rope_local_base_freq': 10000}", "rope_local_base_freq"),
                 "rope_local_base_freq = 10000");
    COMPARE_TEXT(theta_of("{'rope_theta': 1000000, 'rope_ratio': 50}", "swa_rope_theta"), "swa_rope_theta = nothing");
  }

  void a_theta_of_each_layer() {
    COMPARE_TEXT(theta_of("{'rope_theta': [10000, 1000000]}"),
                 "rope_theta = 10000\nnote: rope_theta is a list with one value per layer: that of layer 0 is used");
  }

  void wrong_thetas_are_errors() {
    COMPARE_TEXT(theta_of("{'rope_theta': 1}"),
                 "rope_theta = nothing\nerror: rope_theta is 1 but must be a number above 1 and at most 1000000000000");
    COMPARE_TEXT(
        theta_of("{'rope_theta': []}"),
        "rope_theta = nothing\nerror: rope_theta is a list of 0 items but must be a number above 1 and at most "
        "1000000000000");
    COMPARE_TEXT(theta_of("{'attn_config': {'rope_theta': -1}}"),
                 "rope_theta = nothing\nerror: attn_config.rope_theta is -1 but must be a number above 1 and at most "
                 "1000000000000");
  }

  void a_wrong_theta_in_a_list_is_an_error_too() {
    for (const auto& [item, shown] : {std::pair("'x'", "\"x\""), {"0", "0"}, {"NaN", "NaN"}, {"null", "null"}})
      COMPARE_TEXT(theta_of("{'rope_theta': [" + std::string(item) + ", 10000]}"),
                   "rope_theta = nothing\nerror: item 0 of rope_theta is " + std::string(shown) +
                       " but must be a number above 1 and at most 1000000000000");
  }
};

VQSCOPE_TEST(ConfigLengthTest)
#include "config_length_test.moc"
