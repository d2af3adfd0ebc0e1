// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/family/model_family.h"

#include "core/config/config_text.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <set>

using namespace vqscope;

namespace {

std::vector<ModelFamily> all_families() {
  std::vector<ModelFamily> all;
  for (const auto rows : {rope_families(), hybrid_families(), remote_families(), table_families(), other_families()})
    all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

/// Defaults of a class: theta, fraction rotated, layout.
struct RopeDefaults {
  const char* model_type;
  double theta, rotated;
  bool interleaved;
};

}  // namespace

class ModelFamilyTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// configuration_*.py of Hugging Face transformers for the defaults, modeling_*.py for the
  /// layout: rotate_half is half-split, view(..., -1, 2) or repeat_interleave adjacent.
  void ropes_of_well_known_classes_data() {
    QTest::addColumn<double>("theta");
    QTest::addColumn<double>("rotated");
    QTest::addColumn<bool>("interleaved");
    for (const auto& row : std::initializer_list<RopeDefaults>{{"llama", 1e4, 1, false},
                                                               {"mixtral", 1e6, 1, false},
                                                               {"gpt_neox", 1e4, 0.25, false},
                                                               {"gptj", 1e4, 0.25, true},
                                                               {"codegen", 1e4, 0.25, true},
                                                               {"phi", 1e4, 0.5, false},
                                                               {"stablelm", 1e4, 0.25, false},
                                                               {"nemotron", 1e4, 0.5, false},
                                                               {"persimmon", 25000, 0.5, false},
                                                               {"cohere", 1e4, 1, true},
                                                               {"cohere2", 1e4, 1, true},
                                                               {"llama4_text", 5e5, 1, true},
                                                               {"ernie4_5", 5e5, 1, true},
                                                               {"helium", 1e5, 1, true},
                                                               {"deepseek_v3", 1e4, 1, true},
                                                               {"glm4", 1e4, 0.5, true},
                                                               {"chatglm", 1e4, 0.5, true},
                                                               {"gpt_oss", 150000, 1, false},
                                                               {"qwen3_next", 1e4, 0.25, false},
                                                               {"smollm3", 2e6, 1, false},
                                                               {"modernbert", 160000, 1, false},
                                                               {"nomic_bert", 1000, 1, false},
                                                               {"openai_privacy_filter", 150000, 1, true},
                                                               {"zaya", 5e6, 0.5, false},
                                                               {"minimax_m3_vl_text", 5e6, 0.5, false},
                                                               {"bailing_hybrid", 1e4, 1, true},
                                                               {"hrm_text", 1e4, 1, false}})
      QTest::newRow(row.model_type) << row.theta << row.rotated << row.interleaved;
  }
  void ropes_of_well_known_classes() {
    QFETCH(double, theta);
    QFETCH(double, rotated);
    QFETCH(bool, interleaved);
    const ModelFamily& family = find_model_family(QTest::currentDataTag());
    QVERIFY(family.kind == PositionScheme::rope);
    QCOMPARE(family.theta, theta);
    QCOMPARE(family.rotated, rotated);
    QCOMPARE(family.interleaved, interleaved);
  }

  /// Gemma 3: theta 1e6 on full layers, 1e4 on local ones.
  void layers_with_a_window_may_have_a_theta_of_their_own() {
    QCOMPARE(find_model_family("gemma3_text").local_theta, 1e4);
    QCOMPARE(find_model_family("gemma3_text").theta, 1e6);
    QCOMPARE(find_model_family("gemma2").local_theta, 0.0);
  }

  void a_type_that_is_not_known() {
    for (const char* type : {"", "unheard-of", "Llama", "llama "}) {
      const ModelFamily& family = find_model_family(type);
      QVERIFY2(!family.known() && !family.remote(), type);
      QVERIFY(family.kind == PositionScheme::unknown);
    }
  }

  void aliases() {
    COMPARE_TEXT(find_model_family("RefinedWeb").model_type, "falcon");
    COMPARE_TEXT(find_model_family("RefinedWebModel").model_type, "falcon");
  }

  void code_of_its_own() {
    QVERIFY(find_model_family("baichuan").remote());
    QVERIFY(!find_model_family("llama").remote());
  }

  /// Families of the classes in `architectures`.
  void families_of_classes_data() {
    QTest::addColumn<QString>("type");
    const auto add = [](const char* name, const char* type) { QTest::newRow(name) << type; };
    add("LlamaForCausalLM", "llama");
    add("LlamaModel", "llama");
    add("GPT2LMHeadModel", "gpt2");
    add("GPTNeoForCausalLM", "gpt_neo");
    add("GPTNeoXForCausalLM", "gpt_neox");
    add("GPTNeoXJapaneseForCausalLM", "gpt_neox_japanese");
    add("GemmaForCausalLM", "gemma");
    add("Gemma2ForCausalLM", "gemma2");
    add("Qwen2ForCausalLM", "qwen2");
    add("Qwen2MoeForCausalLM", "qwen2_moe");
    add("DebertaForMaskedLM", "deberta");
    add("DebertaV2ForMaskedLM", "deberta-v2");
    add("T5ForConditionalGeneration", "t5");
    add("MT5ForConditionalGeneration", "mt5");
    add("XLMRobertaForMaskedLM", "xlm-roberta");
    add("XLMForSequenceClassification", "xlm");
    // Not every name that begins like a class is one of its own.
    add("LlamaTokenizer", "");
    add("Llama", "");
    add("ForCausalLM", "");
    add("MyLlamaForCausalLM", "");
    add("", "");
  }
  void families_of_classes() {
    QFETCH(QString, type);
    COMPARE_TEXT(find_family_of_class(QTest::currentDataTag()).model_type, type.toStdString());
  }

  /// The default of the outer class, where the text model's object names none.
  void text_models_inside() {
    COMPARE_TEXT(inner_model_type("llava"), "llama");
    COMPARE_TEXT(inner_model_type("gemma3"), "gemma3_text");
    COMPARE_TEXT(inner_model_type("qwen2_5_vl"), "qwen2_5_vl_text");
    COMPARE_TEXT(inner_model_type("kimi_k25"), "kimi_k2");
    COMPARE_TEXT(inner_model_type("llama"), "");
    COMPARE_TEXT(inner_model_type(""), "");
  }

  void every_model_type_stands_once() {
    std::set<std::string_view> seen;
    for (const auto& family : all_families()) {
      QVERIFY(family.known());
      QVERIFY2(seen.insert(family.model_type).second, family.model_type.data());
      QVERIFY(find_model_family(family.model_type).model_type == family.model_type);
    }
    QVERIFY(seen.size() > 250);
  }

  /// A row must be valid: the report of an empty config follows from it.
  void rows_make_sense() {
    for (const auto& family : all_families()) {
      const std::string name(family.model_type);
      QVERIFY2(family.source.empty() || family.source.ends_with("Config"), name.c_str());
      QVERIFY2(family.kind != PositionScheme::unknown, name.c_str());
      QVERIFY2(family.theta > 1 && family.rotated > 0 && family.rotated <= 1, name.c_str());
      QVERIFY2(family.window >= 0 && family.period >= 0 && family.positions >= 0, name.c_str());
      QVERIFY2(!family.note.ends_with('.'), name.c_str());
      if (family.kind != PositionScheme::rope || family.hidden_size == 0 || family.heads == 0) continue;
      // The defaults of some classes, such as 28 heads in 2048 dimensions, need a head_dim beside
      // them.
      if (family.head_dim == 0 && family.hidden_size % family.heads != 0) continue;
      const Index head = family.head_dim > 0 ? family.head_dim : family.hidden_size / family.heads;
      const auto rotated = static_cast<Index>(static_cast<double>(head) * family.rotated);
      QVERIFY2(rotated >= 2 && rotated % 2 == 0, (name + ": " + std::to_string(rotated)).c_str());
    }
  }

  /// A class has a family, whatever follows its name.
  void every_class_is_found() {
    for (const auto& family : all_families()) {
      if (family.source.empty()) continue;
      const std::string name(family.source.substr(0, family.source.size() - 6));
      QVERIFY2(find_family_of_class(name + "ForCausalLM").source == family.source, name.c_str());
      QVERIFY2(find_family_of_class(name + "Model").source == family.source, name.c_str());
    }
  }
};

VQSCOPE_TEST(ModelFamilyTest)
#include "model_family_test.moc"
