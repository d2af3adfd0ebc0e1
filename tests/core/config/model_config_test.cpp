// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/model_config.h"

#include "core/config/config_doctor.h"
#include "core/io/json/json_reader.h"
#include "tests/core/config/config_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

class ModelConfigTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void findings_data() {
    QTest::addColumn<std::string>("json");
    QTest::addColumn<QString>("lines");
    const auto add = [](const char* name, const std::string& json, const char* lines) {
      QTest::newRow(name) << json << QString::fromUtf8(lines);
    };
    add("clean", llama_scaled(llama3_scaling), "");
    add("theta of zero", llama("\"rope_theta\": 0"),
        "line 2: error: rope_theta is 0 but must be a number above 1 and at most 1000000000000");
    add("theta as text", llama("\"rope_theta\": \"1e4\""),
        "line 2: error: rope_theta is \"1e4\" but must be a number above 1 and at most 1000000000000");
    add("no theta", llama("\"rope_scaling\": null"),
        "line 1: note: rope_theta is not given: 10000 is the default of LlamaConfig");
    add("negative head_dim", llama("\"rope_theta\": 1e4, \"head_dim\": -128"),
        "line 2: error: head_dim is -128 but must be an integer from 2 to 4096");
    add("another head_dim", llama("\"rope_theta\": 1e4, \"head_dim\": 256"),
        "line 2: note: head_dim 256 takes precedence over hidden_size / num_attention_heads = 128: a library that "
        "computes the quotient uses heads of that size");
    add("heads do not divide",
        R"({"hidden_size": 4097, "num_attention_heads": 32, "rope_theta": 1e4, "max_position_embeddings": 8})",
        "line 1: error: hidden_size 4097 / num_attention_heads 32 is not a whole number");
    add("no heads", R"({"hidden_size": 4096, "rope_theta": 1e4, "max_position_embeddings": 8})",
        "line 1: error: neither num_attention_heads nor head_dim is given: the head size is unknown");
    add("half a pair", llama("\"rope_theta\": 1e4, \"partial_rotary_factor\": 0.008"),
        "line 2: error: 1 of 128 dimensions of a head are rotated; must be an even number from 2 to an even head size");
    add("more than a head", llama("\"rope_theta\": 1e4, \"partial_rotary_factor\": 2"),
        "line 2: error: partial_rotary_factor is 2 but must be a number above 0 and at most 1");
    add("no training length", R"({"head_dim": 64, "rope_theta": 1e4})",
        "line 1: note: max_position_embeddings is not given: 2048 is assumed");
    add("twice", llama("\"rope_theta\": 1e4,\n\"rope_theta\": 5e5"),
        "line 3: warning: rope_theta is repeated, first on line 2: the last one is used");
    add("misspelt beside", llama("\"rope_thetta\": 1e4, \"rope_scaling\": null"),
        "line 1: note: rope_theta is not given: 10000 is the default of LlamaConfig\n"
        "line 2: warning: rope_thetta is unknown; did you mean rope_theta?");
    add("unknown beside", llama("\"rope_theta\": 1e4, \"my_rope_theta\": 1e4"),
        "line 2: note: my_rope_theta is unknown and may change the position encoding");
    add("scaling is a number", llama("\"rope_theta\": 1e4, \"rope_scaling\": 4"),
        "line 2: error: rope_scaling is 4 but must be an object or null");
    add("both objects", llama_scaled(llama3_scaling + "}, \"rope_parameters\": {\"rope_type\": \"default\""),
        "line 3: warning: rope_parameters is given beside rope_scaling, which Hugging Face uses instead");
    add("one of both is empty",
        llama("\"rope_theta\": 5e5, \"rope_scaling\": {}, \"rope_parameters\": {" + llama3_scaling + "}"), "");
    add("a type of layer that is none",
        R"({"model_type": "gemma3_text", "max_position_embeddings": 131072, "head_dim": 256, "rope_parameters": {)"
        "\n"
        R"("global": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6},)"
        "\n"
        R"("full_attention": {"rope_theta": 1e6}, "sliding_attention": {"rope_theta": 1e4}}})",
        "line 2: warning: rope_parameters.global is no type of layer of this model: Hugging Face does not read it, and "
        "the layers without an object have the defaults of the class");
    add("theta inside, new", llama("\"rope_parameters\": {\"rope_type\": \"default\", \"rope_theta\": 1e4}"),
        "line 2: note: rope_parameters.rope_theta is where Hugging Face 5 expects it: older readers look for "
        "rope_theta beside rope_parameters, and otherwise use their default, usually 10000");
    add("theta inside, old", llama("\"rope_scaling\": {\"rope_type\": \"default\", \"rope_theta\": 1e4}"),
        "line 2: warning: rope_scaling.rope_theta is in rope_scaling: readers look for rope_theta beside it, or in "
        "rope_parameters, and otherwise use their default, usually 10000");
    add("theta twice",
        llama("\"rope_theta\": 5e5, \"rope_parameters\": {\"rope_type\": \"default\", "
              "\"rope_theta\": 1e4}"),
        "line 2: warning: rope_parameters.rope_theta is 10000, rope_theta is 500000: Hugging Face 5 uses the former, "
        "older readers the latter");
    add("nothing of positions", R"({"hidden_size": 64})",
        "line 1: warning: no model_type is given, and no key says which position encoding the model has: none of "
        "rope_theta, rope_scaling, "
        "rope_parameters, relative_attention_num_buckets, alibi and position_embedding_type is given");
    add("T5 without distance", R"({"d_model": 64, "relative_attention_num_buckets": 300})",
        "line 1: error: in the decoder max_distance is 128 but must be above the 150 exact buckets that num_buckets = "
        "300 "
        "gives");
  }
  void findings() {
    QFETCH(std::string, json);
    QFETCH(QString, lines);
    COMPARE_TEXT(findings_of(json), lines.toStdString());
  }

  void no_config_at_all() {
    COMPARE_ERROR(read_model_config("[1, 2]"),
                  "line 1, column 1: a model's config must be a JSON object, found a list of 2 items");
    COMPARE_ERROR(read_model_config("\n  {\"a\": 1}"),
                  "line 2, column 3: the object has none of hidden_size, head_dim, max_position_embeddings, rope_theta "
                  "and rope_scaling, so it is not a model's config.json");
    COMPARE_ERROR(read_model_config(R"({"rope_type": "yarn", "factor": 4.0})"),
                  "line 1, column 1: the object has none of hidden_size, head_dim, max_position_embeddings, rope_theta "
                  "and rope_scaling, so it is not a model's config.json; a bare scaling belongs under rope_scaling");
    COMPARE_TEXT(findings_of(llama("\"rope_theta\": NaN, \"time_step_limit\": [0.0, Infinity]")),
                 "line 2: error: rope_theta is NaN but must be a number above 1 and at most 1000000000000");
  }

  void endless_objects_are_refused() {
    std::string many = "\"a0\": 1";
    for (int i = 1; i < 2000; ++i) many += ", \"a" + std::to_string(i) + "\": {}";
    COMPARE_ERROR(read_model_config("{" + many + "}"),
                  "line 1, column 1: the object has 2000 members, at most 1024 are read");
    COMPARE_ERROR(read_model_config(llama("\"rope_scaling\": {" + many + "}")),
                  "line 2, column 17: the object has 2000 members, at most 1024 are read");
    QVERIFY(read_model_config(llama("\"rope_theta\": 1e4, \"id2label\": {" + many + "}")));
    std::string layers = "\"l0\": {}";
    for (int i = 1; i < 65; ++i) layers += ", \"l" + std::to_string(i) + "\": {}";
    COMPARE_TEXT(findings_of(llama("\"rope_theta\": 1e4, \"rope_parameters\": {" + layers + "}")),
                 "line 2: error: rope_parameters has 65 types of layers, at most 64 are read");
  }

  void config_with_an_error_has_no_views() {
    const auto report = report_of(llama("\"rope_theta\": 0"));
    QVERIFY(report.ropes.empty());
    QVERIFY(report.views.empty());
    COMPARE_TEXT(report.summary, "llama: RoPE with parameters that this config does not define");
    COMPARE_TEXT(findings_text(report), "1 error, 0 warnings, 0 notes");
  }

  void summary_and_text() {
    const auto report = report_of(llama_scaled(llama3_scaling));
    COMPARE_TEXT(
        report.summary,
        "llama: rope_type llama3, factor 8, rope_theta 500000, 128 of 128 dimensions rotated in half-split pairs "
        "(i, i + 64), training length 8192; 64 pairs: "
        "29 kept, 6 blended, 29 scaled; attention logits × 1");
    const std::string text = config_report_text(report);
    QVERIFY(text.starts_with(report.summary +
                             "\n0 errors, 0 warnings, 0 notes\n\nLayers\n  layers 0-31: full; RoPE; 32 "
                             "key-value heads of 128\n\nRoPE: 128 of 128 dimensions rotated, "
                             "computed for 131072 tokens, trained on 8192\n"));
    QVERIFY(text.find("\n   0             1       6.28319          1303.8        20860.8  kept\n") !=
            std::string::npos);
  }

  void the_summary_of_many_ropes_is_one_sentence() {
    std::string parameters;
    for (int i = 0; i < 12; ++i)
      parameters += (i > 0 ? ", '" : "'") + std::string(40, static_cast<char>('a' + i)) +
                    "': {'rope_type': 'yarn', 'factor': 32.5, 'rope_theta': 150000.0}";
    std::string config =
        "{'model_type': 'gemma3_text', 'head_dim': 256, 'max_position_embeddings': 131072, "
        "'rope_parameters': {" +
        parameters + "}}";
    std::ranges::replace(config, '\'', '"');
    const auto report = report_of(config);
    QVERIFY(report.ropes.size() > 2);
    QVERIFY2(report.summary.size() <= 400, report.summary.c_str());
    QVERIFY2(report.summary.find(" other RoPEs") != std::string::npos, report.summary.c_str());
  }

  void a_text_model_inside_another() {
    const std::string inner = llama_scaled(llama3_scaling);
    const auto report =
        report_of("{\"model_type\": \"mllama\", \"rope_scaling\": {},\n\"text_config\": " + inner + "}");
    QCOMPARE(report.ropes.size(), std::size_t{1});
    COMPARE_TEXT(report.ropes[0].path, "text_config.rope_scaling");
    QCOMPARE(qint64{report.ropes[0].count(PairFate::kept)}, qint64{29});
    COMPARE_TEXT(findings_of("{\"rope_theta\": 7.0,\n\"text_config\": " + llama("\"rope_scaling\": null") + "}"),
                 "line 1: note: rope_theta is not in text_config, from which the text model's keys are read\n"
                 "line 2: note: the text model is in text_config: its keys are read\n"
                 "line 2: note: text_config.rope_theta is not given: 10000 is the default of LlamaConfig");
  }

  void a_text_model_two_objects_deep() {
    const auto report = report_of(
        R"({"model_type": "colqwen2", "vlm_config": {"model_type": "qwen2_vl", "text_config": {"hidden_size": 1536,
           "num_attention_heads": 12, "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}}}})");
    QCOMPARE(report.ropes.size(), std::size_t{1});
    COMPARE_TEXT(report.ropes[0].path, "vlm_config.text_config.rope_scaling");
    QCOMPARE(report.ropes[0].rope_theta, 1e6);
  }

  /// The class's scalings, and null where one type of layers has none.
  void scalings_by_type_of_layers() {
    const auto zaya = report_of(
        R"({"model_type": "zaya", "num_hidden_layers": 2, "sliding_window": 512,
           "layer_types": ["hybrid", "hybrid_sliding"]})");
    QCOMPARE(zaya.ropes.size(), std::size_t{2});
    QCOMPARE(zaya.ropes[1].rope_theta, 10000.0);
    QCOMPARE(zaya.ropes[1].scaling.rotated(), Index{64});
    QCOMPARE(zaya.schedule.layers[1].rope, 1);
    const auto compass = report_of(
        R"({"model_type": "cohere_compass_text", "num_hidden_layers": 2,
           "layer_types": ["sliding_attention", "full_attention"], "rope_parameters": {
           "sliding_attention": {"rope_type": "default", "rope_theta": 50000.0}, "full_attention": null}})");
    QCOMPARE(compass.ropes.size(), std::size_t{1});
    QCOMPARE(compass.schedule.layers[0].rope, 0);
    QCOMPARE(compass.schedule.layers[1].rope, -1);
    COMPARE_TEXT(compass.schedule.layers[1].positions, "none");
    const auto gemma = report_of(R"({"model_type": "diffusion_gemma_text", "num_hidden_layers": 6})");
    QCOMPARE(gemma.ropes.size(), std::size_t{2});
    QCOMPARE(gemma.ropes[0].pair_layout(), PairLayout::head_split);
    QCOMPARE(gemma.ropes[0].scaling.head_dim, Index{512});
    QCOMPARE(gemma.ropes[1].pair_layout(), PairLayout::half_split);
  }

  void layers_of_two_types() {
    const auto report = report_of(
        R"({"model_type": "gemma3_text", "head_dim": 256, "max_position_embeddings": 131072, "rope_parameters": {
           "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0},
           "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}}})");
    QCOMPARE(report.ropes.size(), std::size_t{2});
    COMPARE_TEXT(report.ropes[0].layers, "full_attention");
    QCOMPARE(report.ropes[0].scaling.factor, 8.0);
    QCOMPARE(qint64{report.ropes[0].count(PairFate::scaled)}, qint64{128});
    COMPARE_TEXT(report.ropes[1].path, "rope_parameters.sliding_attention");
    QCOMPARE(report.ropes[1].scaling.rope_theta, 1e4);
    COMPARE_TEXT(report.views[1].title, "RoPE of sliding_attention");
    QVERIFY(report.findings.empty());

    const auto old = report_of(
        R"({"model_type": "gemma3_text", "head_dim": 256, "max_position_embeddings": 131072, "rope_theta": 1000000.0,
           "rope_local_base_freq": 10000.0, "rope_scaling": {"rope_type": "linear", "factor": 8.0}})");
    QCOMPARE(old.ropes.size(), std::size_t{2});
    QVERIFY2(old.summary.find("sliding_attention: rope_type default, rope_theta 10000,") != std::string::npos,
             old.summary.c_str());
    for (std::size_t i = 0; i < 2; ++i) {
      COMPARE_TEXT(old.ropes[i].layers, report.ropes[i].layers);
      QCOMPARE(old.ropes[i].pairs[127].inv_freq, report.ropes[i].pairs[127].inv_freq);
    }
  }

  void aliases() {
    const auto report =
        report_of(R"({"model_type": "gptj", "n_embd": 4096, "n_head": 16, "n_positions": 2048, "rotary_dim": 64})");
    QCOMPARE(report.ropes[0].scaling.head_dim, Index{256});
    QCOMPARE(report.ropes[0].scaling.rotary_dim, Index{64});
    QCOMPARE(report.views[0].values.choice("pair_layout"), std::string("interleaved"));
    const auto neox = report_of(R"({"model_type": "gpt_neox", "hidden_size": 6144, "num_attention_heads": 64,
                                    "max_position_embeddings": 2048, "rotary_pct": 0.25, "rotary_emb_base": 10000})");
    QCOMPARE(neox.ropes[0].scaling.rotated(), Index{24});
    QVERIFY(neox.findings.empty());
  }

  void other_encodings() {
    QCOMPARE(report_of(R"({"hidden_size": 64, "alibi": true})").kind, PositionScheme::alibi);
    QCOMPARE(report_of(R"({"model_type": "bloom", "hidden_size": 64})").kind, PositionScheme::alibi);
    QCOMPARE(report_of(R"({"model_type": "gpt2", "n_positions": 64})").kind, PositionScheme::learned);
    COMPARE_TEXT(
        report_of(R"({"model_type": "bert", "hidden_size": 64, "position_embedding_type": "absolute"})").summary,
        "bert: learned absolute positions: 512 positions by max_position_embeddings, learned");
  }

  void report_gives_the_use_of_each_key() {
    const auto report =
        report_of(llama_scaled(llama3_scaling + ", \"beta_fast\": 32, \"attn_factor\": 1, \"fcator\": 2"));
    const auto use_of = [&](std::string_view path) {
      for (const auto& key : report.keys)
        if (key.path == path) return key_use_name(key.use) + (key.note.empty() ? "" : ": " + key.note);
      return std::string("not there");
    };
    COMPARE_TEXT(use_of("rope_theta"), "read");
    COMPARE_TEXT(use_of("rope_scaling.low_freq_factor"), "read");
    COMPARE_TEXT(use_of("rope_scaling.beta_fast"), "ignored: only rope_type yarn reads it");
    COMPARE_TEXT(use_of("rope_scaling.attn_factor"),
                 "ignored: vLLM and SGLang multiply their attention factor by it, Hugging Face does not");
    COMPARE_TEXT(use_of("rope_scaling.fcator"), "misspelt: did you mean factor?");
    COMPARE_TEXT(use_of("model_type"), "read");
  }

  /// Granite with windows: layer_rope_theta overrides rope_parameters.rope_theta; 0 is no rotation.
  void a_theta_of_each_layer() {
    const auto granite = [](const std::string& thetas) {
      return R"({"model_type": "granite_swa", "num_hidden_layers": 4, "max_position_embeddings": 8192, "layer_types":
        ["full_attention", "sliding_attention", "full_attention", "sliding_attention"], "hidden_size": 2560,
        "num_attention_heads": 20, "rope_parameters": {"rope_type": "default", "rope_theta": 7000.0},
        "layer_rope_theta": )" +
             thetas + "}";
    };
    const ConfigReport two = report_of(granite("[0, 10000, 500000, 10000]"));
    QCOMPARE(two.ropes.size(), std::size_t{2});
    COMPARE_TEXT(two.ropes[0].layers, "sliding_attention");
    QCOMPARE(two.ropes[0].rope_theta, 1e4);
    COMPARE_TEXT(two.ropes[1].layers, "full_attention");
    QCOMPARE(two.ropes[1].rope_theta, 5e5);
    QCOMPARE(two.schedule.layers[0].rope, -1);
    QCOMPARE(two.schedule.layers[2].rope, 1);
    QCOMPARE(std::ranges::count(two.keys, "rope_parameters.rope_type", &ConfigKey::path), 1);
    const ConfigReport one = report_of(granite("[10000, 10000, 0, 10000]"));
    QCOMPARE(one.ropes.size(), std::size_t{1});
    COMPARE_TEXT(one.ropes[0].layers, "");
    QCOMPARE(one.ropes[0].rope_theta, 1e4);
    QVERIFY(findings_of(granite("[10000, 20000, 10000, 30000]")).find("layer_rope_theta differs among layers of one") !=
            std::string::npos);
    QCOMPARE(report_of(granite("null")).ropes[0].rope_theta, 7000.0);
  }

  /// PLaMo 3: rope_local_theta is that of layers with a window, which have no scaling (vLLM's
  /// plamo3.py).
  void a_theta_of_local_layers() {
    const ConfigReport report = report_of(
        R"({"model_type": "plamo3", "hidden_size": 4096, "num_attention_heads": 32, "head_dim": 128,
            "num_hidden_layers": 8, "max_position_embeddings": 4096, "window_size": 2048, "sliding_window_pattern": 8,
            "rope_theta": 1000000, "rope_local_theta": 10000})");
    QCOMPARE(report.ropes.size(), std::size_t{2});
    QCOMPARE(report.ropes[0].rope_theta, 1e6);
    COMPARE_TEXT(report.ropes[1].layers, "sliding_attention");
    QCOMPARE(report.ropes[1].rope_theta, 1e4);
    QVERIFY(std::ranges::none_of(report.keys, [](const ConfigKey& key) { return key.use == KeyUse::unknown; }));
  }

  /// Reading a config needs no comparison of implementations, which takes most of the time.
  void implementations_can_be_left_out() {
    const auto root = *read_json(llama_scaled(yarn_scaling));
    const auto all = ConfigDoctor(root).examine();
    const auto some = ConfigDoctor(root, ConfigDetails::without_implementations).examine();
    QVERIFY(all && some);
    QVERIFY(!all->ropes.front().implementations.empty());
    QVERIFY(some->ropes.front().implementations.empty());
    QCOMPARE(some->ropes.front().pairs.size(), all->ropes.front().pairs.size());
    QCOMPARE(some->ropes.front().attention_factor, all->ropes.front().attention_factor);
  }
};

VQSCOPE_TEST(ModelConfigTest)
#include "model_config_test.moc"
