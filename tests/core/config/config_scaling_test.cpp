// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/config/config_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const std::string old_name =
    "line 3: note: rope_scaling.type is the old name of rope_type: Hugging Face, vLLM and llama.cpp accept both";

/// Four pairs, trained on 4096 tokens, made for 32 times as many.
std::string phi3(const std::string& members) {
  return R"({"model_type": "phi3", "hidden_size": 64, "num_attention_heads": 8, "max_position_embeddings": 131072,
             "original_max_position_embeddings": 4096, "rope_theta": 10000.0,
             "rope_scaling": {"rope_type": "longrope", "short_factor": [1.0, 1.1, 1.2, 1.3],
                              "long_factor": [1.0, 5.0, 9.0, 13.0])" +
         members + "}}";
}

}  // namespace

class ConfigScalingTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void findings_data() {
    QTest::addColumn<std::string>("scaling");
    QTest::addColumn<std::string>("lines");
    const auto add = [](const char* name, const std::string& scaling, const std::string& lines) {
      QTest::newRow(name) << scaling << lines;
    };
    add("old name", R"("type": "linear", "factor": 4.0)", old_name);
    add("two names", llama3_scaling + R"(, "type": "yarn")",
        "line 3: warning: rope_scaling.type is \"yarn\" and rope_type is \"llama3\": Hugging Face uses the latter, "
        "vLLM stops with an error");
    add("no name", R"("factor": 4.0)",
        "line 3: warning: rope_scaling.rope_type is not given: Hugging Face 5 uses default and ignores factor, vLLM "
        "stops with an error\n"
        "line 3: warning: rope_scaling.factor is ignored with rope_type default: only rope_type linear, dynamic, yarn, "
        "longrope, proportional, llama3 reads it");
    add("unknown type", R"("rope_type": "yarm", "factor": 4.0)",
        "line 3: error: rope_scaling.rope_type is \"yarm\", which is unknown; Hugging Face knows default, "
        "linear, "
        "dynamic, yarn, longrope, proportional, llama3; did you mean yarn?");
    add("a type of ours", R"("rope_type": "ntk", "factor": 4.0)",
        "line 3: warning: rope_scaling.rope_type is \"ntk\", which Hugging Face's own classes do not know; they know "
        "default, linear, dynamic, yarn, longrope, proportional, llama3");
    add("mrope", R"("type": "mrope", "mrope_section": [16, 24, 23])",
        old_name +
            "\nline 3: note: rope_scaling.type mrope is the old name of default with mrope_section\n"
            "line 3: warning: rope_scaling.mrope_section adds up to 63 but must be 64, half the rotated dimensions");
    add("factor as text", R"("rope_type": "linear", "factor": "4")",
        "line 3: error: rope_scaling.factor is \"4\" but must be a number from 0.01 to 1024");
    add("factor below 1", R"("rope_type": "linear", "factor": 0.5)",
        "line 3: warning: rope_scaling.factor is 0.5, less than 1: phases grow faster than in training instead of "
        "slower; Hugging Face only warns");
    add("integer factor", R"("rope_type": "linear", "factor": 4)",
        "line 3: note: rope_scaling.factor is the integer 4, for which some versions of Hugging Face warn that it is "
        "not a float; the number is the same");
    add("factor missing", R"("rope_type": "linear")",
        "line 3: error: rope_scaling.factor is not given, but rope_type linear requires it");
    add("factor from lengths", R"("rope_type": "yarn", "original_max_position_embeddings": 32768)",
        "line 3: note: rope_scaling.factor is not given: max_position_embeddings / training length = 131072 / 32768 = "
        "4 is used");
    add("factor against lengths", R"("rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 32768)",
        "line 3: warning: rope_scaling.factor is 8, max_position_embeddings / training length is 131072 / 32768 = 4: "
        "some versions of Hugging Face used the ratio, newer ones use factor");
    add("yarn without a training length", R"("rope_type": "yarn", "factor": 4.0)",
        "line 3: note: rope_scaling.original_max_position_embeddings is not given: max_position_embeddings = 131072 is "
        "used as the training length; vLLM with Transformers 4 stops with a KeyError");
    add("betas", yarn_scaling + R"(, "beta_fast": 1, "beta_slow": 32)",
        "line 3: warning: rope_scaling.beta_fast is 1, less than beta_slow = 32: slow pairs are kept and fast ones "
        "interpolated, the reverse of YaRN; Hugging Face only warns");
    add("beta of 0", yarn_scaling + R"(, "beta_fast": 0)",
        "line 3: note: rope_scaling.beta_fast is 0, which Hugging Face reads as not given: 32");
    add("one mscale", yarn_scaling + R"(, "mscale": 1.0)",
        "line 3: note: rope_scaling.mscale affects cos and sin only if both mscale and mscale_all_dim are above 0");
    add("factor and mscale", yarn_scaling + R"(, "mscale": 1.0, "mscale_all_dim": 1.0, "attention_factor": 1.5)",
        "line 3: warning: rope_scaling.attention_factor takes precedence over mscale and mscale_all_dim");
    add("attention factor of 0", yarn_scaling + R"(, "attention_factor": 0)",
        "line 3: error: rope_scaling.attention_factor is 0 but must be a number above 0 and at most 100");
    add("truncate as a number", yarn_scaling + R"(, "truncate": 0)",
        "line 3: error: rope_scaling.truncate is 0 but must be true or false");
    add("frequencies",
        R"("rope_type": "llama3", "factor": 8.0, "low_freq_factor": 4.0, "high_freq_factor": 4.0,)"
        R"( "original_max_position_embeddings": 8192)",
        "line 3: note: rope_scaling.high_freq_factor is 4, not above low_freq_factor = 4: no pair is blended; Hugging "
        "Face only warns");
    add("trained longer than served",
        R"("rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,)"
        R"( "original_max_position_embeddings": 262144)",
        "line 1: warning: max_position_embeddings is 131072, less than the training length 262144");
    add("misspelt", R"("rope_type": "linear", "factro": 4.0)",
        "line 3: error: rope_scaling.factor is not given, but rope_type linear requires it\n"
        "line 3: warning: rope_scaling.factro is unknown; did you mean factor?");
    add("another type's", llama3_scaling + R"(, "beta_fast": 32)",
        "line 3: warning: rope_scaling.beta_fast is ignored with rope_type llama3: only rope_type yarn reads it");
    add("lists",
        R"("rope_type": "longrope", "factor": 32.0, "short_factor": [1, 1], "long_factor": [1, "x"],)"
        R"( "original_max_position_embeddings": 4096)",
        "line 3: error: rope_scaling.short_factor has 2 items but must have 64, half the rotated dimensions\n"
        "line 3: error: item 1 of rope_scaling.long_factor is \"x\" but must be a number from 0.001 to 1000000");
  }
  void findings() {
    QFETCH(std::string, scaling);
    QFETCH(std::string, lines);
    COMPARE_TEXT(findings_of(llama_scaled(scaling)), lines);
  }

  void longrope_and_its_readers() {
    const auto use = report_of(phi3("")).ropes.at(0);
    QCOMPARE(use.scaling.factor, 32.0);
    const double by_lengths = std::sqrt(1 + std::log(32.0) / std::log(4096.0));
    QVERIFY(std::abs(use.attention_factor - by_lengths) < 1e-12);
    QCOMPARE(use.pairs[1].inv_freq, 0.1 / 5);
    QCOMPARE(qint64{use.count(PairFate::kept)}, qint64{1});
    QCOMPARE(qint64{use.count(PairFate::scaled)}, qint64{3});
    // Up to the training length Hugging Face takes the short list, the others stay with the long
    // one.
    QCOMPARE(use.implementations.size(), std::size_t{7});
    COMPARE_TEXT(use.implementations[6].name, "older Hugging Face");
    QCOMPARE(*use.implementations[6].differing_pair, Index{3});
    const auto& vllm = use.implementations[4];
    COMPARE_TEXT(vllm.name, "vLLM");
    QCOMPARE(vllm.seq_len, Index{4096});
    QCOMPARE(*vllm.differing_pair, Index{3});
    QVERIFY(std::abs(vllm.ratio - 0.1) < 1e-12);
    QCOMPARE(vllm.attention_factor, use.attention_factor);
    QCOMPARE(report_of(phi3(", \"long_mscale\": 1.25")).ropes[0].implementations[1].attention_factor, 1.25);
    // Hugging Face takes the factor that is given, vLLM the lengths.
    const auto given = report_of(phi3(", \"factor\": 16.0")).ropes[0];
    QVERIFY(std::abs(given.attention_factor - std::sqrt(1 + std::log(16.0) / std::log(4096.0))) < 1e-12);
    QVERIFY(std::abs(given.implementations[1].attention_factor - by_lengths) < 1e-12);
  }

  void dynamic_and_vllm() {
    const auto use = report_of(llama("\"rope_theta\": 1e4, \"rope_scaling\": {\"rope_type\": \"dynamic\", \"factor\": "
                                     "2.0}"))
                         .ropes.at(0);
    QCOMPARE(use.seq_len, Index{262144});
    // theta grows by (2 · 2 − 1)^(d/(d − 2)), so that the last pair is divided by 3.
    QVERIFY(std::abs(use.pairs[63].plain_inv_freq / use.pairs[63].inv_freq - 3) < 1e-9);
    const auto& vllm = use.implementations.at(3);
    QCOMPARE(vllm.seq_len, Index{131072});
    QCOMPARE(*vllm.differing_pair, Index{63});
    QVERIFY(std::abs(vllm.ratio * 3 - 1) < 1e-9);
    QVERIFY(!use.implementations[1].differing_pair);
  }

  void latent_attention_scales_the_softmax() {
    const auto use = report_of(R"({"qk_rope_head_dim": 64, "max_position_embeddings": 163840, "rope_theta": 1e4,
      "rope_scaling": {"rope_type": "yarn", "factor": 40.0, "mscale": 0.707, "mscale_all_dim": 0.707,
                       "original_max_position_embeddings": 4096}})")
                         .ropes.at(0);
    QCOMPARE(use.attention_factor, 1.0);
    QVERIFY(std::abs(use.softmax_factor - std::pow(0.0707 * std::log(40.0) + 1, 2)) < 1e-12);
    // Heads that are not split have no such factor.
    const auto dense = report_of(llama_scaled(yarn_scaling + R"(, "mscale": 1.0, "mscale_all_dim": 1.0)")).ropes.at(0);
    QCOMPARE(dense.logit_factor(), 1.0);
    QVERIFY(std::abs(dense.implementations[1].attention_factor - (0.1 * std::log(4.0) + 1)) < 1e-12);
  }

  void attn_factor_is_read_only_by_vllm() {
    const auto use = report_of(llama_scaled(yarn_scaling + R"(, "attn_factor": 1.5)")).ropes.at(0);
    QVERIFY(std::abs(use.attention_factor - (0.1 * std::log(4.0) + 1)) < 1e-12);
    QVERIFY(std::abs(use.implementations[1].attention_factor / use.attention_factor - 1.5) < 1e-12);
    COMPARE_TEXT(implementation_text(use.implementations[1]), "attention logits × 2.91707");
  }
};

VQSCOPE_TEST(ConfigScalingTest)
#include "config_scaling_test.moc"
