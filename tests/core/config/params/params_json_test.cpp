// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/model_config.h"

#include "core/io/json/json_reader.h"
#include "tests/core/config/config_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string params(const std::string& more) {
  return R"({"dim": 4096, "n_layers": 4, "head_dim": 128, "n_heads": 32, "n_kv_heads": 8, "vocab_size": 32768)" +
         (more.empty() ? std::string() : ",\n" + more) + "}";
}

}  // namespace

class ParamsJsonTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_plain_model() {
    const ConfigReport report = report_of(params("\"rope_theta\": 1000000.0, \"max_seq_len\": 32768"));
    QCOMPARE(report.kind, PositionScheme::rope);
    COMPARE_TEXT(report.model_type, "mistral");
    QCOMPARE(report.ropes.size(), std::size_t{1});
    QCOMPARE(report.ropes[0].rope_theta, 1e6);
    QVERIFY(report.ropes[0].interleaved);
    QCOMPARE(report.ropes[0].max_position_embeddings, Index{32768});
    QCOMPARE(report.count(ConfigSeverity::error), Index{0});
    QCOMPARE(report.count(ConfigSeverity::warning), Index{0});
    QCOMPARE(report.layers.size(), std::size_t{1});
    QCOMPARE(report.layers[0].window, Index{0});
    QCOMPARE(report.readers.readers, (std::vector<std::string>{"vLLM", "llama.cpp"}));
  }

  /// mistral-inference: 10,000 with a window, 1,000,000 without; vLLM: always 10,000.
  void theta_by_default() {
    QCOMPARE(report_of(params("")).ropes[0].rope_theta, 1e6);
    const ConfigReport windowed = report_of(params("\"sliding_window\": 4096"));
    QCOMPARE(windowed.ropes[0].rope_theta, 10000.0);
    QCOMPARE(windowed.layers[0].window, Index{4096});
    const ConfigReport report = report_of(params(""));
    for (const auto& row : report.readers.rows)
      if (row.fact == "rope_theta") {
        COMPARE_TEXT(row.cells[0].value, "10000");
        QVERIFY(row.cells[0].differs);
      }
  }

  void yarn() {
    const std::string yarn = R"("rope_theta": 1000000.0, "max_position_embeddings": 262144,
      "yarn": {"original_max_position_embeddings": 16384, "factor": 16, "apply_scale": false, "beta": 32, "alpha": 1})";
    const ConfigReport report = report_of(params(yarn));
    QCOMPARE(report.count(ConfigSeverity::error), Index{0});
    const RopeUse& use = report.ropes[0];
    COMPARE_TEXT(use.scaling.rope_type, "yarn");
    QCOMPARE(use.scaling.factor, 16.0);
    QCOMPARE(use.attention_factor, 1.0);
    QCOMPARE(use.scaling.original_max_position_embeddings, Index{16384});
    COMPARE_TEXT(use.path, "yarn");
    const std::string scaled = yarn.substr(0, yarn.find("\"apply_scale\"")) + "\"beta\": 32, \"alpha\": 1}";
    QCOMPARE(report_of(params(scaled)).ropes[0].attention_factor, 1 + 0.1 * std::log(16.0));
  }

  void windows_by_layer() {
    const ConfigReport report =
        report_of(params("\"rope_theta\": 100000000.0, \"_sliding_window\": [null, 32768, 32768, 32768]"));
    QCOMPARE(report.layers.size(), std::size_t{2});
    COMPARE_TEXT(report.layers[0].name, "full_attention");
    QCOMPARE(report.layers[0].count, Index{1});
    QCOMPARE(report.layers[1].window, Index{32768});
    QCOMPARE(report.layers[1].count, Index{3});
  }

  void latent_attention() {
    const ConfigReport report = report_of(
        R"({"dim": 7168, "n_layers": 61, "n_heads": 128, "n_kv_heads": 128, "q_lora_rank": 1536, "kv_lora_rank": 512,
            "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128, "rope_theta": 10000.0,
            "max_position_embeddings": 294912, "moe": {"num_shared_experts": 1},
            "llama_4_scaling": {"original_max_position_embeddings": 8192, "beta": 0.1},
            "yarn": {"original_max_position_embeddings": 8192, "factor": 36, "apply_scale": false, "beta": 32, "alpha": 1}})");
    QCOMPARE(report.ropes[0].scaling.rotated(), Index{64});
    bool reported = false;
    for (const auto& finding : report.findings) reported = reported || finding.path == "llama_4_scaling";
    QVERIFY(reported);
  }

  void metas_own() {
    const ConfigReport report = report_of(
        R"({"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "vocab_size": 128256, "multiple_of": 1024,
            "ffn_dim_multiplier": 1.3, "norm_eps": 1e-05, "rope_theta": 500000.0, "use_scaled_rope": true})");
    COMPARE_TEXT(report.model_type, "llama");
    for (const auto& finding : report.findings)
      QVERIFY2(finding.sentence.find("use_scaled_rope is unknown") == std::string::npos, finding.sentence.c_str());
    const ConfigReport published = report_of(llama_scaled(llama3_scaling));
    QCOMPARE(report.ropes[0].pairs.size(), std::size_t{64});
    for (std::size_t i = 0; i < 64; ++i)
      QCOMPARE(report.ropes[0].pairs[i].inv_freq, published.ropes[0].pairs[i].inv_freq);
  }

  /// Findings name the keys of the file.
  void mistakes() {
    const std::string message = findings_of(params("\"max_seq_len\": 0"));
    QVERIFY2(message.find("line 2: error: max_seq_len is 0 but must be an integer from 1 to 2147483648") !=
                 std::string::npos,
             message.c_str());
    QVERIFY(findings_of(params("\"llama_4_scaling\": {\"beta\": 0.1}")).find("llama_4_scaling must have a beta") !=
            std::string::npos);
    QVERIFY(!is_params_json(*read_json(llama(""))));
    QVERIFY(!is_params_json(*read_json(R"({"model_type": "distilbert", "dim": 768, "n_layers": 6, "n_heads": 12})")));
  }
};

VQSCOPE_TEST(ParamsJsonTest)
#include "params_json_test.moc"
