// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/readers/config_readers.h"

#include "core/config/report/reader_matrix.h"
#include "tests/core/config/config_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const ReaderRow* row_of(const ConfigReport& report, const std::string& fact, const std::string& layers = {}) {
  for (const auto& row : report.readers.rows)
    if (row.fact == fact && row.layers == layers) return &row;
  return nullptr;
}

/// The value of one reader, with * where it differs.
std::string cell(const ConfigReport& report, const std::string& reader, const std::string& fact,
                 const std::string& layers = {}) {
  const auto* row = row_of(report, fact, layers);
  if (!row) return "no row";
  for (std::size_t i = 0; i < report.readers.readers.size(); ++i)
    if (report.readers.readers[i] == reader) return row->cells[i].value + (row->cells[i].differs ? " *" : "");
  return "no reader";
}

bool any_differs(const ConfigReport& report, const std::string& reader) {
  for (const auto& row : report.readers.rows)
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      if (report.readers.readers[i] == reader && row.cells[i].differs) return true;
  return false;
}

}  // namespace

class ReaderTableTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_plain_config_is_read_alike() {
    const ConfigReport report = report_of(llama("\"rope_theta\": 500000.0"));
    QCOMPARE(report.readers.readers,
             (std::vector<std::string>{"Hugging Face 4", "Hugging Face 5", "vLLM", "SGLang", "llama.cpp"}));
    for (const auto& row : report.readers.rows)
      for (const auto& each : row.cells) QVERIFY2(!each.differs, row.fact.c_str());
    COMPARE_TEXT(cell(report, "vLLM", "rope_theta"), "500000");
    COMPARE_TEXT(cell(report, "llama.cpp", "longest sequence"), "131072");
  }

  /// Hugging Face builds the class of model_type, the others that of architectures: Mistral has a
  /// window, Llama none.
  void a_class_of_another_model() {
    const std::string config =
        R"({"model_type": "llama", "architectures": ["MistralForCausalLM"], "hidden_size": 4096,)"
        R"( "num_attention_heads": 32, "num_hidden_layers": 2, "sliding_window": 4096, "rope_theta": 10000.0,)"
        R"( "max_position_embeddings": 8192})";
    const ConfigReport report = report_of(config);
    COMPARE_TEXT(cell(report, "Hugging Face 5", "sliding window"), "none");
    COMPARE_TEXT(cell(report, "SGLang", "sliding window"), "4096 on 2 layers *");
    QVERIFY(findings_of(config).find(
                "warning: architectures names MistralForCausalLM, a class of mistral, but model_type is llama: Hugging "
                "Face goes by model_type and builds llama") != std::string::npos);
  }

  /// Version 4 runs the code that comes with a model, if it may; what that does is not known.
  void code_beside_the_file() {
    const std::string flash = R"({"model_type": "mimo_v2_flash")";
    COMPARE_TEXT(cell(report_of(flash + "}"), "Hugging Face 4", "model"), "does not have this model *");
    COMPARE_TEXT(cell(report_of(flash + R"(, "auto_map": {"AutoConfig": "c.MiMoConfig"}})"), "Hugging Face 4", "model"),
                 "not known");
  }

  void factors_that_stretch() {
    const ConfigReport report = report_of(llama_scaled(R"("rope_type": "ntk", "factor": 4.0)"));
    COMPARE_TEXT(cell(report, "vLLM", "longest sequence"), "524288 *");
  }

  /// The code of every reader for DeepSeek V4 leaves cos and sin as they are.
  void yarn_without_an_attention_factor() {
    const ConfigReport report = report_of(
        R"({"model_type": "deepseek_v4", "compress_rope_theta": 160000, "max_position_embeddings": 1048576,
            "rope_scaling": {"type": "yarn", "factor": 16.0, "original_max_position_embeddings": 65536}})");
    for (const auto* reader : {"vLLM", "older vLLM", "SGLang", "llama.cpp"})
      COMPARE_TEXT(cell(report, reader, "attention factor", "compressed_attention"), "1");
  }

  void readers_without_the_model() {
    const ConfigReport report = report_of(
        R"({"model_type": "gpt_neox_japanese", "hidden_size": 2560, "num_attention_heads": 32, "rotary_pct": 0.25})");
    COMPARE_TEXT(cell(report, "vLLM", "model"), "does not have this model *");
    COMPARE_TEXT(cell(report, "vLLM", "rope_theta"), "–");
    COMPARE_TEXT(cell(report, "Hugging Face 5", "model"), "assumed");
    COMPARE_TEXT(cell(report, "Hugging Face 5", "rope_theta"), "10000");
    const ConfigReport mllama = report_of(R"({"model_type": "mllama_text_model", "rope_theta": 500000.0})");
    COMPARE_TEXT(cell(mllama, "vLLM", "model"), "does not have this model *");
    COMPARE_TEXT(cell(mllama, "SGLang", "model"), "assumed");
    COMPARE_TEXT(cell(report_of(llama("")), "vLLM", "model"), "no row");
    const std::string unknown =
        R"({"model_type": "x", "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 1e4})";
    COMPARE_TEXT(cell(report_of(unknown), "vLLM", "model"), "not known");
  }

  /// 128000 · 2 and 256000 · 1: the sentence must not say that one is reached instead of the other.
  void factors_with_equal_reach() {
    const ConfigReport report = report_of(
        R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "max_position_embeddings": 256000,)"
        R"( "rope_parameters": {"rope_theta": 500000.0, "rope_type": "yarn", "factor": 2.0,)"
        R"( "original_max_position_embeddings": 128000}})");
    const auto* row = row_of(report, "factor");
    QVERIFY(row && row->cells[0].differs);
    COMPARE_TEXT(row->cells[0].consequence,
                 "a factor of 1 instead of 2, on a training length of 256000 tokens instead of 128000: as many tokens, "
                 "at other angles");
  }

  /// The new place of the keys: version 4 ignores it without a message.
  void keys_of_version_5() {
    const ConfigReport report =
        report_of(llama("\"rope_parameters\": {\"rope_theta\": 500000.0, " + llama3_scaling + "}"));
    COMPARE_TEXT(cell(report, "Hugging Face 4", "rope_theta"), "10000 *");
    COMPARE_TEXT(cell(report, "Hugging Face 4", "rope_type"), "default *");
    for (const auto* reader : {"Hugging Face 5", "vLLM", "SGLang", "llama.cpp"}) {
      COMPARE_TEXT(cell(report, reader, "rope_theta"), "500000");
      COMPARE_TEXT(cell(report, reader, "rope_type"), "llama3");
      QVERIFY2(!any_differs(report, reader), reader);
    }
    QVERIFY(
        row_of(report, "rope_theta")->cells[0].consequence.starts_with("rope_theta 10000 instead of 500000: pair "));
  }

  /// A scaling for each type of layer, as version 5 of Gemma 3 has it.
  void layers_of_version_5() {
    const ConfigReport report = report_of(
        R"({"model_type": "gemma3_text", "head_dim": 256, "num_hidden_layers": 6, "sliding_window": 512,
            "rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0},
                                "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}}})");
    COMPARE_TEXT(cell(report, "Hugging Face 4", "rope_type", "full_attention"), "default *");
    COMPARE_TEXT(cell(report, "Hugging Face 4", "rope_theta", "sliding_attention"), "10000");
    COMPARE_TEXT(cell(report, "Hugging Face 5", "factor", "full_attention"), "8");
  }

  /// The default of the class is another in version 5.
  void theta_of_the_class_by_version() {
    const ConfigReport cohere = report_of(R"({"model_type": "cohere", "num_hidden_layers": 4})");
    COMPARE_TEXT(cell(cohere, "Hugging Face 4", "rope_theta"), "10000");
    COMPARE_TEXT(cell(cohere, "Hugging Face 5", "rope_theta"), "500000 *");
    const ConfigReport given = report_of(R"({"model_type": "cohere", "rope_theta": 75000.0})");
    COMPARE_TEXT(cell(given, "Hugging Face 5", "rope_theta"), "75000");
  }

  /// vLLM serves Phi-3 up to the training length unless a length is given, and then with the short
  /// list; the factor of cos and sin follows from max_position_embeddings all the same: sqrt(1 + ln
  /// 32 / ln 4096) = 1.19024.
  void longrope_without_a_served_length() {
    const ConfigReport report = report_of(
        R"({"model_type": "phi3", "hidden_size": 16, "num_attention_heads": 2, "num_hidden_layers": 2,
            "max_position_embeddings": 131072, "original_max_position_embeddings": 4096,
            "rope_scaling": {"type": "longrope", "short_factor": [1.0, 1.0, 1.0, 1.0],
                             "long_factor": [2.0, 4.0, 8.0, 16.0]}})");
    COMPARE_TEXT(cell(report, "Hugging Face 5", "longest sequence"), "131072");
    COMPARE_TEXT(cell(report, "vLLM", "longest sequence"), "4096 *");
    COMPARE_TEXT(cell(report, "vLLM", "attention factor"), "1.19024");
    QVERIFY(cell(report, "vLLM", "inverse frequencies").ends_with(" *"));
    QVERIFY(!cell(report, "SGLang", "inverse frequencies").ends_with(" *"));
  }

  void theta_inside_an_old_scaling() {
    const ConfigReport report =
        report_of(llama("\"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": 2.0, \"rope_theta\": 1000000.0}"));
    COMPARE_TEXT(cell(report, "Hugging Face 4", "rope_theta"), "10000 *");
    COMPARE_TEXT(cell(report, "Hugging Face 5", "rope_theta"), "1000000");
  }

  /// 0.1 ln 4 + 1 = 1.13863 unless a reader takes attention_factor.
  void attention_factor_of_yarn() {
    const ConfigReport report = report_of(llama_scaled(yarn_scaling + ", \"attention_factor\": 1.5"));
    COMPARE_TEXT(cell(report, "Hugging Face 4", "attention factor"), "1.5");
    COMPARE_TEXT(cell(report, "vLLM", "attention factor"), "1.5");
    COMPARE_TEXT(cell(report, "older vLLM", "attention factor"), "1.13863 *");
    COMPARE_TEXT(cell(report, "SGLang", "attention factor"), "1.13863 *");
    COMPARE_TEXT(cell(report, "llama.cpp", "attention factor"), "1.13863 *");
    const auto* row = row_of(report, "attention factor");
    COMPARE_TEXT(row->cells[5].consequence,
                 "attention logits are 0.5762 times as large as in training, so attention is flatter");
  }

  /// Older vLLM multiplies the training length by factor, whatever max_position_embeddings says.
  void longest_sequence_of_yarn() {
    const ConfigReport report = report_of(
        R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "max_position_embeddings": 65536,
            "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}})");
    COMPARE_TEXT(cell(report, "vLLM", "longest sequence"), "65536");
    COMPARE_TEXT(cell(report, "older vLLM", "longest sequence"), "131072 *");
  }

  /// vLLM's pull requests 53634 and 56446: older vLLM knew yarn by that name alone and multiplied
  /// the length of others once more. TeleChat3-36B: 32,768 · 4; a draft for Kimi K3: 1,048,576 ·
  /// 32.
  void longest_sequence_of_yarn_by_other_names() {
    const ConfigReport telechat = report_of(
        R"({"model_type": "telechat3", "hidden_size": 6144, "num_attention_heads": 48, "num_hidden_layers": 64,
            "max_position_embeddings": 32768, "rope_theta": 1000000.0, "rope_scaling":
            {"rope_type": "telechat3-yarn", "factor": 4.0, "original_max_position_embeddings": 8192}})");
    COMPARE_TEXT(cell(telechat, "vLLM", "longest sequence"), "32768");
    COMPARE_TEXT(cell(telechat, "older vLLM", "longest sequence"), "131072 *");
    COMPARE_TEXT(cell(telechat, "vLLM", "training length"), "8192");
    const double factor = 1 + 0.07 * std::log(4.0);
    QVERIFY(std::abs(telechat.ropes.at(0).attention_factor - factor) < 1e-12);
    COMPARE_TEXT(cell(telechat, "older vLLM", "attention factor"), "1.09704");
    const ConfigReport draft = report_of(
        R"({"model_type": "kimi_k2", "hidden_size": 7168, "num_attention_heads": 64, "num_hidden_layers": 5,
            "max_position_embeddings": 1048576, "rope_theta": 50000.0, "rope_scaling":
            {"type": "deepseek_yarn", "factor": 32.0, "original_max_position_embeddings": 32768, "mscale": 1.0,
             "mscale_all_dim": 1.0}})");
    COMPARE_TEXT(cell(draft, "vLLM", "longest sequence"), "1048576");
    COMPARE_TEXT(cell(draft, "older vLLM", "longest sequence"), "33554432 *");
  }

  void linear_and_dynamic() {
    const ConfigReport linear = report_of(llama_scaled("\"type\": \"linear\", \"factor\": 4.0"));
    COMPARE_TEXT(cell(linear, "vLLM", "longest sequence"), "524288 *");
    COMPARE_TEXT(cell(linear, "SGLang", "longest sequence"), "524288 *");
    const ConfigReport dynamic = report_of(llama_scaled("\"type\": \"dynamic\", \"factor\": 4.0"));
    COMPARE_TEXT(cell(dynamic, "llama.cpp", "rope_type"), "default *");
    QVERIFY(cell(dynamic, "llama.cpp", "inverse frequencies").ends_with(" *"));
    QVERIFY(
        row_of(dynamic, "rope_type")->cells[4].consequence.starts_with("dynamic is not applied: beyond 131072 tokens"));
  }

  void windows() {
    const ConfigReport report = report_of(
        R"({"model_type": "mistral", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32,
            "max_position_embeddings": 32768, "rope_theta": 10000.0, "sliding_window": 4096})");
    COMPARE_TEXT(cell(report, "Hugging Face 4", "sliding window"), "4096 on 32 layers");
    COMPARE_TEXT(cell(report, "llama.cpp", "sliding window"), "none *");
  }

  /// Llama's class reads no window; vLLM gives that of the config to every layer.
  void a_window_that_the_class_does_not_read() {
    const std::string config =
        R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32,
            "max_position_embeddings": 32768, "rope_theta": 10000.0, "sliding_window": 4096)";
    const ConfigReport report = report_of(config + "}");
    COMPARE_TEXT(cell(report, "Hugging Face 5", "sliding window"), "none");
    COMPARE_TEXT(cell(report, "vLLM", "sliding window"), "4096 on 32 layers *");
    QVERIFY(findings_of(config + "}").find("warning: sliding_window is 4096, but Hugging Face's class for llama has") !=
            std::string::npos);
    COMPARE_TEXT(cell(report_of(config + R"(, "use_sliding_window": false})"), "vLLM", "sliding window"), "none");
  }

  /// A draft of five layers in the manner of Qwen 3: without the switch its class drops the window;
  /// with it the layers from max_window_layers on have it, which is 28 by default.
  void a_window_that_no_layer_reaches() {
    const std::string config =
        R"({"model_type": "qwen3", "hidden_size": 2560, "num_attention_heads": 32, "head_dim": 80, "rope_theta": 1e6,
            "num_hidden_layers": 5, "max_position_embeddings": 40960, "sliding_window": 2048)";
    COMPARE_TEXT(cell(report_of(config + "}"), "vLLM", "sliding window"), "none");
    QVERIFY(findings_of(config + "}")
                .find("note: sliding_window is given, but use_sliding_window is not, which is "
                      "false by default: no layer has a window") != std::string::npos);
    const std::string on = config + R"(, "use_sliding_window": true)";
    COMPARE_TEXT(cell(report_of(on + "}"), "Hugging Face 5", "sliding window"), "none");
    COMPARE_TEXT(cell(report_of(on + "}"), "vLLM", "sliding window"), "2048 on 5 layers *");
    QVERIFY(findings_of(on + "}").find("warning: sliding_window is 2048, but no layer has this window in Hugging Face: "
                                       "the first 5 layers see all keys") != std::string::npos);
    COMPARE_TEXT(findings_of(on + R"(, "max_window_layers": 2})"), "");
    COMPARE_TEXT(cell(report_of(on + R"(, "max_window_layers": 2})"), "vLLM", "sliding window"), "2048 on 3 layers");
  }

  /// The class of Hugging Face 5 did not know MiniMax-M2's rotary_dim at first, and rotated whole
  /// heads.
  void rotated_part_of_minimax_m2() {
    const ConfigReport report = report_of(
        R"({"model_type": "minimax_m2", "head_dim": 128, "rotary_dim": 64, "rope_theta": 5000000,
            "max_position_embeddings": 196608, "hidden_size": 3072, "num_attention_heads": 48, "num_hidden_layers": 2})");
    for (const auto* reader : {"Hugging Face 4", "Hugging Face 5", "vLLM", "SGLang", "llama.cpp"})
      QVERIFY2(!any_differs(report, reader), reader);
    QVERIFY(cell(report, "older Hugging Face 5", "inverse frequencies").ends_with(" *"));
    COMPARE_TEXT(row_of(report, "inverse frequencies")->cells[2].consequence, "64 pairs rotate instead of 32");
  }

  /// Hugging Face 5 does not look for truncate inside the scaling of one type of layers.
  void truncate_of_a_type_of_layers() {
    const auto config = [](const std::string& inside, const std::string& beside) {
      return R"({"model_type": "laguna", "hidden_size": 2048, "num_attention_heads": 16, "head_dim": 128,
                 "max_position_embeddings": 131072, "num_hidden_layers": 2, "sliding_window": 512,
                 "layer_types": ["full_attention", "sliding_attention"],
                 "rope_parameters": {"full_attention": {"rope_theta": 500000.0, )" +
             yarn_scaling + inside + R"(}, "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0})" +
             beside + "}}";
    };
    const ConfigReport inner = report_of(config(", \"truncate\": false", ""));
    const std::string fact = "inverse frequencies", full = "full_attention";
    QVERIFY(inner.ropes[0].scaling.truncate);
    QVERIFY(!cell(inner, "Hugging Face 5", fact, full).ends_with(" *"));
    QVERIFY(cell(inner, "vLLM", fact, full).ends_with(" *"));
    QVERIFY(cell(inner, "SGLang", fact, full).ends_with(" *"));
    QVERIFY(findings_of(config(", \"truncate\": false", ""))
                .find("warning: rope_parameters.full_attention.truncate is false: Hugging Face 5 looks for it in "
                      "rope_parameters alone and uses true; vLLM and SGLang use false") != std::string::npos);
    const ConfigReport outer = report_of(config("", ", \"truncate\": false"));
    QVERIFY(!outer.ropes[0].scaling.truncate);
    QCOMPARE(outer.ropes.size(), std::size_t{2});
    QVERIFY(!cell(outer, "Hugging Face 5", fact, full).ends_with(" *"));
    for (const char* reader : {"vLLM", "SGLang"}) QVERIFY2(cell(outer, reader, fact, full).ends_with(" *"), reader);
  }

  /// llama.cpp decides by the number of layers whether EXAONE 4 has windows.
  void windows_of_exaone() {
    const auto config = [](const char* layers) {
      return report_of(std::string(R"({"model_type": "exaone4", "hidden_size": 4096, "num_attention_heads": 32,
                                       "max_position_embeddings": 65536, "rope_theta": 1000000, "sliding_window": 4096,
                                       "num_hidden_layers": )") +
                       layers + "}");
    };
    COMPARE_TEXT(cell(config("64"), "llama.cpp", "sliding window"), "4096 on 48 layers");
    COMPARE_TEXT(cell(config("64"), "llama.cpp", "layers without RoPE"), "16");
    COMPARE_TEXT(cell(config("32"), "llama.cpp", "sliding window"), "none *");
    COMPARE_TEXT(cell(config("32"), "llama.cpp", "layers without RoPE"), "none *");
    COMPARE_TEXT(cell(config("32"), "Hugging Face 5", "layers without RoPE"), "8");
  }

  /// Both lengths given: version 4 takes the inner one, 5 the outer.
  void two_training_lengths() {
    const ConfigReport report =
        report_of(llama("\"original_max_position_embeddings\": 16384,\n\"rope_theta\": 500000.0,\n\"rope_scaling\": {" +
                        yarn_scaling + "}"));
    COMPARE_TEXT(cell(report, "Hugging Face 4", "training length"), "32768");
    COMPARE_TEXT(cell(report, "Hugging Face 5", "training length"), "16384 *");
  }

  void as_text() {
    const ConfigReport report =
        report_of(llama("\"rope_parameters\": {\"rope_theta\": 500000.0, \"rope_type\": \"default\"}"));
    const std::string text = readers_text(report.readers);
    QVERIFY(text.starts_with("\nWhat each library uses (* differs from what the config means)\n"));
    QVERIFY(text.find("rope_theta") != std::string::npos);
    QVERIFY(text.find("\n  Hugging Face 4, rope_theta: rope_theta 10000 instead of 500000: pair 63 turns ") !=
            std::string::npos);
    COMPARE_TEXT(readers_text({}), "");
    QVERIFY(report_of(R"({"model_type": "gpt2"})").readers.rows.empty());
  }

  void presets_have_a_cell_for_each_reader() {
    for (const QString& name : preset_names()) {
      const ConfigReport report = report_of(preset(name).toStdString());
      for (const auto& row : report.readers.rows) {
        QCOMPARE(row.cells.size(), report.readers.readers.size());
        for (const auto& each : row.cells) {
          QVERIFY2(!each.value.empty(), qPrintable(name));
          QVERIFY2(each.differs != each.consequence.empty(), qPrintable(name));
        }
      }
    }
  }
};

VQSCOPE_TEST(ReaderTableTest)
#include "reader_table_test.moc"
