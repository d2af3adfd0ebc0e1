// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/sentence.h"
#include "core/config/compare/compare.h"
#include "core/config/gguf/gguf_model.h"
#include "tests/core/config/config_cases.h"
#include "tests/core/io/gguf/gguf_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The facts that differ, in their order.
std::string facts(const std::string& a, const std::string& b) {
  std::string all;
  for (const auto& each : compare_configs(report_of(a), report_of(b))) all += (all.empty() ? "" : ", ") + each.fact;
  return all;
}

const std::string mistral = R"({"model_type": "mistral", "hidden_size": 4096, "num_attention_heads": 32,
  "num_key_value_heads": 8, "num_hidden_layers": 32, "max_position_embeddings": 32768, "rope_theta": 10000.0,
  "sliding_window": )";

}  // namespace

class ConfigComparisonTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void equal_configs_with_other_keys_have_no_difference() {
    const std::string old = llama_scaled(llama3_scaling);
    COMPARE_TEXT(facts(old, old), "");
    COMPARE_TEXT(facts(old, llama("\"rope_parameters\": {\"rope_theta\": 500000.0, " + llama3_scaling + "}")), "");
    COMPARE_TEXT(facts(llama("\"rope_theta\": 10000.0"), llama("")), "");
    COMPARE_TEXT(facts(llama_scaled("\"type\": \"linear\", \"factor\": 1.0"), llama("\"rope_theta\": 500000.0")), "");
    COMPARE_TEXT(comparison_text("a", "b", {}), "a and b mean the same\n");
  }

  void errors_are_told_beside_the_differences() {
    COMPARE_TEXT(errors_text("a", report_of(llama("\"rope_theta\": 10000.0"))), "");
    const std::string found = errors_text("b", report_of(llama("\"rope_theta\": 0")));
    QVERIFY2(found.starts_with("b: line ") && found.find("error: rope_theta is 0 but must be") != std::string::npos,
             found.c_str());
    COMPARE_TEXT(comparison_text("a", "b", {}, "b: wrong\n"),
                 "b: wrong\nas configs, which the errors above contradict, a and b mean the same\n");
  }

  /// Hugging Face's class for Llama reads no window; vLLM does.
  void a_window_that_one_library_reads() {
    const std::string with = llama("\"rope_theta\": 10000.0, \"sliding_window\": 4096");
    COMPARE_TEXT(facts(llama("\"rope_theta\": 10000.0"), with), "sliding window in vLLM");
    COMPARE_TEXT(facts(with, with), "");
    COMPARE_TEXT(facts(llama("\"rope_theta\": 10000.0, \"sliding_window\": null"), llama("\"rope_theta\": 10000.0")),
                 "");
  }

  /// 40 types of layers with another theta each: every one differs in theta and in angles.
  void the_lightest_of_many_differences_are_left_out() {
    const auto types = [](int theta) {
      std::string all;
      for (int i = 0; i < 40; ++i)
        all += fmt::format("{}\"type_{}\": {{\"rope_type\": \"default\", \"rope_theta\": {}}}", i > 0 ? ", " : "", i,
                           theta + i);
      return R"({"model_type": "new", "head_dim": 64, "max_position_embeddings": 64, "rope_parameters": {)" + all +
             "}}";
    };
    auto all = compare_configs(report_of(types(10000)), report_of(types(20000)));
    QCOMPARE(all.size(), std::size_t{80});
    const std::string text = comparison_text("a", "b", all);
    QVERIFY2(text.find("80 differences in meaning") != std::string::npos, text.c_str());
    QVERIFY2(text.ends_with("\n16 of 80 differences are left out\n"), text.c_str());
    COMPARE_TEXT(join(shorten_differences(all), "\n"), "16 of 80 differences are left out");
    QCOMPARE(all.size(), std::size_t{64});
    QCOMPARE(std::ranges::count(all, 90, &ConfigDifference::weight), 40);  // each rope_theta, the heaviest
    QVERIFY(shorten_differences(all).empty());
  }

  void theta() {
    const auto all =
        compare_configs(report_of(llama("\"rope_theta\": 10000.0")), report_of(llama("\"rope_theta\": 500000.0")));
    QCOMPARE(all.size(), std::size_t{2});
    COMPARE_TEXT(all[0].fact, "rope_theta");
    COMPARE_TEXT(all[0].a, "10000");
    COMPARE_TEXT(all[0].b, "500000");
    COMPARE_TEXT(all[1].fact, "angles");
    COMPARE_TEXT(all[1].a, "pair 63 turns once in 54410 tokens");
    COMPARE_TEXT(all[1].b, "pair 63 turns once in 2559196 tokens");
    QVERIFY2(all[1].meaning.find(" times as slowly in B; at their end") != std::string::npos, all[1].meaning.c_str());
    QVERIFY(all[0].weight >= all[1].weight);
  }

  /// The slow pairs of Llama 3.1 differ from those without scaling; up to the training length too.
  void scaling() {
    const auto all = compare_configs(report_of(llama("\"rope_theta\": 500000.0")),
                                     report_of(llama_scaled(llama3_scaling)), {"llama-3", "llama-3.1"});
    COMPARE_TEXT(all[0].fact, "scaling");
    COMPARE_TEXT(all[0].a, "default");
    COMPARE_TEXT(all[0].b, "llama3, factor 8");
    COMPARE_TEXT(all[1].fact, "angles");
    QVERIFY2(all[0].meaning.starts_with("llama-3 reaches "), all[0].meaning.c_str());
    QVERIFY2(all[1].meaning.starts_with(
                 "in sequences of 8192 tokens pairs 29 to 63 turn at another speed, most of all pair "),
             all[1].meaning.c_str());
    COMPARE_TEXT(all[2].fact, "training length");
  }

  void logits() {
    COMPARE_TEXT(facts(llama_scaled(yarn_scaling), llama_scaled(yarn_scaling + ", \"attention_factor\": 1.0")),
                 "attention logits");
    COMPARE_TEXT(
        facts(llama_scaled(yarn_scaling), llama_scaled(yarn_scaling + ", \"attention_factor\": 1.138629436111989")),
        "");
  }

  void windows_and_lengths() {
    COMPARE_TEXT(facts(mistral + "4096}", mistral + "null}"), "windows of layers");
    COMPARE_TEXT(facts(mistral + "4096}", mistral + "8192}"), "windows of layers");
    std::string longer = mistral + "null}";
    longer.replace(longer.find("32768"), 5, "65536");
    COMPARE_TEXT(facts(mistral + "null}", longer), "longest sequence");
  }

  void other_encodings() {
    const std::string bloom = R"({"model_type": "bloom", "n_head": 16})";
    const auto all = compare_configs(report_of(llama("")), report_of(bloom));
    COMPARE_TEXT(all[0].fact, "position encoding");
    QCOMPARE(all[0].weight, 100);
    COMPARE_TEXT(facts(bloom, R"({"model_type": "bloom", "n_head": 32})"), "ALiBi heads");
  }

  /// A converter to GGUF permutes the weights of a Llama; the angles are the same.
  void a_config_and_its_gguf() {
    const std::string bytes = GgufBytes()
                                  .text("general.architecture", "llama")
                                  .integer("llama.context_length", 131072)
                                  .integer("llama.embedding_length", 4096)
                                  .integer("llama.attention.head_count", 32)
                                  .real("llama.rope.freq_base", 500000)
                                  .bytes();
    const auto report = examine_gguf(MemorySource(bytes));
    QVERIFY(report);
    QVERIFY(report->ropes[0].interleaved);
    QVERIFY(compare_configs(report_of(llama("\"rope_theta\": 500000.0")), *report).empty());
    const std::string cohere =
        R"({"model_type": "cohere", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 500000.0,
      "max_position_embeddings": 131072})";
    const auto all = compare_configs(report_of(llama("\"rope_theta\": 500000.0")), report_of(cohere));
    QVERIFY(std::ranges::any_of(all, [](const ConfigDifference& each) { return each.fact == "pair layout"; }));
  }

  /// 2 · 8 heads · 128 dimensions · 2 bytes a layer; a layer that shares keys has none, a latent
  /// one its own size.
  void cache() {
    LayerSchedule schedule;
    schedule.layers.push_back({.num_key_value_heads = 8, .head_dim = 128});
    schedule.layers.push_back({.shares_kv_with = 0, .num_key_value_heads = 8, .head_dim = 128});
    schedule.layers.push_back({.attention = LayerAttention::state});
    schedule.layers.push_back({.latent = 576});
    QCOMPARE(cache_bytes_of_token(schedule), Index{4096 + 1152});
    schedule.layers.push_back({.num_key_value_heads = 4, .head_dim = 192, .v_head_dim = 128});
    QCOMPARE(cache_bytes_of_token(schedule), Index{4096 + 1152 + 4 * (192 + 128) * 2});
    QCOMPARE(cache_bytes_of_token({}), Index{0});
  }

  void sentences() {
    for (const QString& a : preset_names()) {
      for (const QString& b : preset_names()) {
        const auto all = compare_configs(report_of(preset(a).toStdString()), report_of(preset(b).toStdString()));
        if (a == b) QVERIFY2(all.empty(), qPrintable(a));
        for (const auto& each : all) {
          QVERIFY(!each.fact.empty() && !each.meaning.empty() && each.weight > 0 && each.weight <= 100);
          QVERIFY2(each.a != each.b, (each.fact + each.a).c_str());
          QVERIFY(!each.meaning.ends_with('.'));
        }
      }
    }
  }
};

VQSCOPE_TEST(ConfigComparisonTest)
#include "config_comparison_test.moc"
