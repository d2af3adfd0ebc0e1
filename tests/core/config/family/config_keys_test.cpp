// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/family/config_keys.h"

#include "tests/core/config/given_config.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// "ignored: why" of the first key, with the findings on lines after it.
std::string first_key(const std::vector<ConfigKey>& keys, const std::string& findings) {
  std::string text = key_use_name(keys.front().use);
  if (!keys.front().note.empty()) text += ": " + keys.front().note;
  return findings.empty() ? text : text + "\n" + findings;
}

std::string config_key_of(const std::string& config, bool rope = true) {
  GivenConfig given(config);
  const auto keys = config_keys(given.object, rope);
  return first_key(keys, given.findings());
}

std::string rope_key_of(const std::string& rope, const char* type, const char* family = "llama") {
  GivenConfig given(rope, "rope_scaling");
  const auto keys = rope_keys(given.object, *find_rope_type_keys(type), find_model_family(family));
  return first_key(keys, given.findings());
}

}  // namespace

class ConfigKeysTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// ROPE_INIT_FUNCTIONS and _validate_*_parameters of Hugging Face's modeling_rope_utils.py.
  void keys_of_each_rope_type() {
    const auto needs = [](const char* type) { return find_rope_type_keys(type)->required; };
    using Names = std::vector<std::string>;
    QCOMPARE(needs("default"), Names{});
    QCOMPARE(needs("linear"), Names{"factor"});
    QCOMPARE(needs("dynamic"), Names{"factor"});
    QCOMPARE(needs("yarn"), Names{"factor"});
    QCOMPARE(needs("longrope"), (Names{"short_factor", "long_factor"}));
    QCOMPARE(needs("llama3"),
             (Names{"factor", "original_max_position_embeddings", "low_freq_factor", "high_freq_factor"}));
    QVERIFY(find_rope_type_keys("yarn")->knows("beta_fast") && !find_rope_type_keys("llama3")->knows("beta_fast"));
    QVERIFY(find_rope_type_keys("llama3")->knows("factor"));
    QVERIFY(!find_rope_type_keys("su") && !find_rope_type_keys(""));
    for (const char* ours : {"ntk", "ntk_by_parts", "dynamic_linear"})
      QVERIFY2(!find_rope_type_keys(ours)->hugging_face, ours);
  }

  void keys_that_concern_positions() {
    for (const char* yes : {"rope_theta", "my_rope", "rotary_pct", "position_embedding_type", "use_alibi", "head_dim"})
      QVERIFY2(concerns_positions(yes), yes);
    for (const char* no : {"vocab_size", "", "positions", "hidden_act"}) QVERIFY2(!concerns_positions(no), no);
  }

  void use_of_a_key_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("expected");
    const auto add = [](const char* config, const char* expected) { QTest::newRow(config) << config << expected; };
    add("{'vocab_size': 32000}", "unrelated");
    add("{'hidden_size': 64}", "unrelated");
    add("{'rope_theta': null}", "unrelated");
    add("{'rope_theta': 5}", "ignored: not checked here");
    add("{'use_logn_attn': true}",
        "read: beyond the training length queries are multiplied by log(position) / log(training length)");
    add("{'llama_4_scaling_beta': 0.1}",
        "read: queries are multiplied by 1 + beta · log(1 + floor(position / training length))");
    add("{'position_embedding_type': 'absolute'}", "ignored: the code of this model does not read it");
    add("{'rope_tehta': 5}",
        "misspelt: did you mean rope_theta?\nwarning: rope_tehta is unknown; did you mean rope_theta?");
    add("{'rope_kind': 5}",
        "unknown: not known to this program\nnote: rope_kind is unknown and may change the position encoding");
    // Longer names say something more, and some that look alike are of other things.
    add("{'num_attention_heads_2': 8}", "unrelated");
    add("{'num_attention_heds': 8}",
        "misspelt: did you mean num_attention_heads?\n"
        "warning: num_attention_heds is unknown; did you mean num_attention_heads?");
    add("{'v_head_dim': 128}", "unrelated");
    add("{'encoder_attention_heads': 16}", "unrelated");
    add("{'hidden_sizes': [1]}", "unrelated");
    // No mistake beside the name that is meant.
    add("{'head_dims': 5, 'head_dim': 64}", "unrelated");
  }
  void use_of_a_key() {
    QFETCH(QString, config);
    QFETCH(QString, expected);
    COMPARE_TEXT(config_key_of(config.toStdString()), expected.toStdString());
  }

  void without_rope_its_keys_are_not_checked() {
    COMPARE_TEXT(config_key_of("{'rope_theta': 5}", false), "ignored: not checked: this model has no RoPE");
    COMPARE_TEXT(config_key_of("{'rotary_kind': 5}", false), "ignored: not checked: this model has no RoPE");
    COMPARE_TEXT(config_key_of("{'use_alibi': true}", false), "unknown: not known to this program");
  }

  void a_key_that_was_read_is_read() {
    GivenConfig given("{'rope_tehta': 5}");
    given.object.take("rope_tehta");
    QVERIFY(config_keys(given.object, true).front().use == KeyUse::read);
    COMPARE_TEXT(given.findings(), "");
  }

  void use_of_a_scaling_key_data() {
    QTest::addColumn<QString>("rope");
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("expected");
    const auto add = [](const char* rope, const char* type, const char* expected) {
      QTest::addRow("%s %s", rope, type) << rope << type << expected;
    };
    add("{'factor': 4.0}", "linear", "read");
    add("{'type': 'yarn'}", "yarn", "read");
    add("{'mrope_section': [1]}", "default", "read");
    add("{'beta_fast': 32}", "llama3",
        "ignored: only rope_type yarn reads it\n"
        "warning: rope_scaling.beta_fast is ignored with rope_type llama3: only rope_type yarn reads it");
    add("{'attn_factor': 1}", "yarn",
        "ignored: vLLM and SGLang multiply their attention factor by it, Hugging Face does not\n"
        "note: rope_scaling.attn_factor is ignored by Hugging Face: vLLM and SGLang multiply their attention factor by "
        "it, Hugging Face does not");
    add("{'fator': 4}", "linear",
        "misspelt: did you mean factor?\nwarning: rope_scaling.fator is unknown; did you mean factor?");
    add("{'something_else': 4}", "linear",
        "unknown: not known to this program\nnote: rope_scaling.something_else is unknown");
  }
  void use_of_a_scaling_key() {
    QFETCH(QString, rope);
    QFETCH(QString, type);
    QFETCH(QString, expected);
    COMPARE_TEXT(rope_key_of(rope.toStdString(), type.toUtf8()), expected.toStdString());
  }

  /// HunYuan's dynamic with alpha, Phi-3.5-MoE's two mscales.
  void families_that_read_keys_of_their_own() {
    COMPARE_TEXT(rope_key_of("{'alpha': 1000.0}", "dynamic", "hunyuan"),
                 "read: theta is multiplied by alpha^(d / (d - 2)), and factor is not read");
    COMPARE_TEXT(rope_key_of("{'beta_fast': 32}", "dynamic", "hunyuan"), "ignored");
    COMPARE_TEXT(rope_key_of("{'short_mscale': 1.2}", "longrope", "phimoe"), "read");
    QVERIFY(rope_key_of("{'short_mscale': 1.2}", "longrope", "phi3").starts_with("ignored: vLLM uses it"));
  }

  void keys_come_in_their_order_with_path_place_and_value() {
    GivenConfig given("{'type': 'yarn',\n 'factor': 4}", "rope_scaling");
    const auto keys = rope_keys(given.object, *find_rope_type_keys("yarn"), find_model_family("llama"));
    QCOMPARE(keys.size(), std::size_t{2});
    COMPARE_TEXT(keys[0].path, "rope_scaling.type");
    COMPARE_TEXT(keys[0].value, "\"yarn\"");
    QCOMPARE(keys[1].place, (TextPlace{2, 2}));
  }

  void objects_with_a_text_model() {
    for (const char* name : {"text_config", "llm_config", "language_config", "thinker_config"})
      QVERIFY2(std::ranges::count(text_model_keys(), name) == 1, name);
    QVERIFY(std::ranges::count(text_model_keys(), "vision_config") == 0);
  }
};

VQSCOPE_TEST(ConfigKeysTest)
#include "config_keys_test.moc"
