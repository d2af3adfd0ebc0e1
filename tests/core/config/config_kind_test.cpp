// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_parts.h"

#include "tests/core/config/given_config.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string kind_of(const char* model_type, const std::string& config) {
  GivenConfig given(config);
  return kind_name(read_position_kind(given.object, find_model_family(model_type)));
}

bool is_config(const std::string& text) {
  GivenConfig given(text);
  return is_model_config(given.object.value());
}

}  // namespace

class ConfigKindTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// By the code of each family, where its name alone does not decide.
  void kinds_data() {
    QTest::addColumn<QString>("model_type");
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("kind");
    const auto add = [](const char* type, const char* config, const char* kind) {
      QTest::addRow("%s %s", type, config) << type << config << kind;
    };
    add("llama", "{}", "rope");
    // Switches count by themselves.
    add("", "{'mla_use_nope': true, 'qk_rope_head_dim': 64, 'rope_theta': 10000}", "none");
    add("deepseek_v3", "{'mla_use_nope': true}", "none");
    add("deepseek_v3", "{'mla_use_nope': false}", "rope");
    add("", "{'use_rope': false, 'rope_theta': 10000}", "none");
    add("", "{'use_rope': true, 'hidden_size': 64}", "rope");
    add("", "{'rope': true, 'alibi': false, 'd_model': 64}", "rope");  // OLMo 1, LLaDA
    add("", "{'rope': false, 'alibi': false, 'd_model': 64}", "unknown");
    add("", "{'sinusoidal_pos_embds': true, 'hidden_size': 64}", "sinusoidal");
    add("t5", "{}", "t5_buckets");
    add("bloom", "{}", "alibi");
    add("xlnet", "{}", "relative");
    add("mamba", "{}", "none");
    add("wav2vec2", "{}", "convolutional");
    add("pegasus", "{}", "sinusoidal");
    // Falcon has RoPE unless alibi is true.
    add("falcon", "{'alibi': false}", "rope");
    add("falcon", "{'alibi': true}", "alibi");
    // Baichuan 7B (hidden_size 4096) has RoPE, 13B (5120) ALiBi; both are model_type baichuan.
    add("baichuan", "{'hidden_size': 4096}", "rope");
    add("baichuan", "{'hidden_size': 5120}", "alibi");
    add("baichuan", "{}", "rope");
    // MPT and DBRX keep their switches in attn_config.
    add("mpt", "{'attn_config': {'alibi': true}}", "alibi");
    add("mpt", "{'attn_config': {'alibi': false}}", "learned");
    add("mpt", "{'attn_config': {'rope': true, 'alibi': false}}", "rope");
    add("dbrx", "{'attn_config': {'rope_theta': 500000}}", "rope");
    // BERT and its kin read position_embedding_type.
    add("bert", "{'position_embedding_type': 'absolute'}", "learned");
    add("bert", "{'position_embedding_type': 'relative_key_query'}", "relative");
    add("bert", "{'position_embedding_type': 'alibi'}", "alibi");
    add("bert", "{'alibi_starting_size': 512, 'position_embedding_type': 'absolute'}", "alibi");
    add("esm", "{'position_embedding_type': 'rotary'}", "rope");
    add("esm", "{'position_embedding_type': 'absolute'}", "learned");
    add("granitemoehybrid", "{'position_embedding_type': 'rope'}", "rope");
    add("granitemoehybrid", "{'position_embedding_type': 'nope', 'rope_theta': 10000}", "none");
    add("jina_bert_v2", "{'position_embedding_type': 'alibi'}", "alibi");
    add("llama", "{'position_embedding_type': 'absolute'}", "rope");  // its code does not look
    // Switches of single families.
    add("zamba2", "{'use_mem_rope': true}", "rope");
    add("zamba2", "{}", "none");
    add("deberta-v2", "{'relative_attention': true}", "relative");
    add("deberta-v2", "{}", "learned");
    add("distilbert", "{'sinusoidal_pos_embds': true}", "sinusoidal");
    add("distilbert", "{'sinusoidal_pos_embds': false}", "learned");
    add("xlm", "{'sinusoidal_embeddings': true}", "sinusoidal");
    add("wav2vec2-conformer", "{'position_embeddings_type': 'rotary'}", "rope");
    add("wav2vec2-conformer", "{'position_embeddings_type': 'relative'}", "relative");
    add("nemotron_h", "{'rope_theta': 10000}", "none");
    // Without a family the keys say it, be they null.
    add("new", "{'rope_theta': 10000}", "rope");
    add("new", "{'rope_scaling': null}", "rope");
    add("new", "{'relative_attention_num_buckets': 32, 'rope_theta': 10000}", "t5_buckets");
    add("new", "{'attn_config': {'rope_theta': 500000}}", "rope");
    add("new", "{'attn_config': {'rope': true}}", "rope");
    add("new", "{'use_alibi': true}", "alibi");
    add("new", "{'position_embedding_type': 'learned_absolute'}", "learned");
    add("new", "{'position_embedding_type': 'something'}", "unknown");
    add("new", "{'hidden_size': 64}", "unknown");
  }
  void kinds() {
    QFETCH(QString, model_type);
    QFETCH(QString, config);
    QFETCH(QString, kind);
    COMPARE_TEXT(kind_of(model_type.toUtf8(), config.toStdString()), kind.toStdString());
  }

  void switches_must_be_true_or_false() {
    GivenConfig given("{'alibi': 'yes'}");
    QVERIFY(read_position_kind(given.object, find_model_family("falcon")) == PositionScheme::rope);
    COMPARE_TEXT(given.findings(), "error: alibi is \"yes\" but must be true or false");
  }

  void keys_that_decide_are_read() {
    GivenConfig given("{'position_embedding_type': 'rotary', 'alibi': false}");
    read_position_kind(given.object, find_model_family("esm"));
    QVERIFY(given.was_read("position_embedding_type") && given.was_read("alibi"));
    GivenConfig other("{'position_embedding_type': 'absolute'}");
    read_position_kind(other.object, find_model_family("llama"));
    QVERIFY2(!other.was_read("position_embedding_type"), "Llama's code does not read it");
  }

  /// A size, a key of RoPE or a known model_type make a text model's config.
  void keys_that_describe_a_model() {
    const auto describes = [](const char* text) {
      GivenConfig given(text);
      return describes_model(given.object.value());
    };
    for (const char* yes : {"{'hidden_size': 1}", "{'rope_scaling': null}", "{'model_type': 'llama'}", "{'n_embd': 8}"})
      QVERIFY2(describes(yes), yes);
    for (const char* no : {"{}", "{'vocab_size': 3}", "{'model_type': 'unheard-of'}", "{'model_type': 7}"})
      QVERIFY2(!describes(no), no);
  }

  void a_config_without_sizes_names_a_type_or_a_class() {
    QVERIFY(is_config("{'model_type': 'unheard-of'}"));
    QVERIFY(is_config("{'architectures': ['NewForCausalLM']}"));
    QVERIFY(!is_config("{'architectures': 'NewForCausalLM'}"));
    QVERIFY(!is_config("{'factor': 4}") && !is_config("{}"));
  }

  void keys_of_rope() {
    for (const auto& key : rope_config_keys()) {
      QVERIFY2(is_config("{'" + key + "': null}"), key.c_str());
      COMPARE_TEXT(kind_of("new", "{'" + key + "': null}"), "rope");
    }
  }
};

VQSCOPE_TEST(ConfigKindTest)
#include "config_kind_test.moc"
