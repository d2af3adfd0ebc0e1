// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/checkpoint/checkpoint_check.h"

#include "core/config/config_text.h"
#include "core/config/model_config.h"
#include "tests/core/config/place/model_folder.h"
#include "tests/support/compare.h"
#include "tests/support/environment.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

Checkpoint checkpointOf(const NamedShapes& tensors) {
  Checkpoint checkpoint{.files = {"model.safetensors"}};
  for (const auto& [name, shape] : tensors) checkpoint.tensors.push_back({name, shape, true});
  return checkpoint;
}

/// The findings about a config beside weights, a line each.
std::string findingsOf(const std::string& config, const Checkpoint& checkpoint) {
  const auto report = read_model_config(config, &checkpoint);
  if (!report) return report.error().message;
  std::string lines;
  for (const auto& finding : report->findings) lines += finding_text(finding) + "\n";
  return lines;
}
std::string findingsOf(const std::string& config, const NamedShapes& tensors) {
  return findingsOf(config, checkpointOf(tensors));
}

/// A config with a text in place of another.
std::string with(std::string config, const std::string& from, const std::string& to) {
  const auto at = config.find(from);
  return at == std::string::npos ? "no " + from : config.replace(at, from.size(), to);
}

}  // namespace

Q_DECLARE_METATYPE(vqscope::test::LlamaShapes)

class CheckpointCheckTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void weights_that_fit() {
    COMPARE_TEXT(findingsOf(plainLlama, LlamaShapes().tensors()), "");
    COMPARE_TEXT(findingsOf(with(plainLlama, "false}", "true}"), LlamaShapes{.output = false}.tensors()), "");
    COMPARE_TEXT(findingsOf(with(plainLlama, "\"num_hidden_layers\": 2",
                                 "\"num_hidden_layers\": 1, "
                                 "\"num_nextn_predict_layers\": 1"),
                            LlamaShapes().tensors()),
                 "");
  }

  void by_hand_data() {
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<LlamaShapes>("shapes");
    QTest::addColumn<QByteArray>("sentence");
    const auto add = [](const char* name, const std::string& config, const LlamaShapes& shapes, const char* sentence) {
      QTest::newRow(name) << QByteArray::fromStdString(config) << shapes << QByteArray(sentence);
    };
    add("key-value heads", plainLlama, {.key_value_heads = 1},
        "line 2: error: num_key_value_heads: the config says 2, model.layers.0.self_attn.k_proj.weight [16, 64] of the "
        "checkpoint has 1 head of 16, as in 1 other layer\n");
    add("query heads", plainLlama, {.heads = 6},
        "line 2: error: num_attention_heads: the config says 4, model.layers.0.self_attn.q_proj.weight [96, 64] of the "
        "checkpoint has 6 heads of 16, as in 1 other layer\n");
    add("head_dim", plainLlama, {.dim = 32},
        "line 1: error: head_dim: the config does not say it, which means 16, model.layers.0.self_attn.q_proj.weight "
        "[128, 64] of the checkpoint has 4 heads of 32, as in 1 other layer\n");
    add("no whole heads", plainLlama, {.heads = 5, .key_value_heads = 3, .dim = 10},
        "line 2: error: num_attention_heads: the config says 4, model.layers.0.self_attn.q_proj.weight [50, 64] of the "
        "checkpoint has 50 outputs, no multiple of head_dim 16, as in 1 other layer\nline 2: error: "
        "num_key_value_heads: the config says 2, model.layers.0.self_attn.k_proj.weight [30, 64] of the checkpoint has "
        "30 outputs, no multiple of head_dim 16, as in 1 other layer\n");
    add("norms of a class without", plainLlama, {.norm = 16},
        "line 1: error: model_type: llama does not normalise queries and keys, but the checkpoint has "
        "model.layers.0.self_attn.q_norm.weight [16], which is not read\n");
    add("more layers", plainLlama, {.layers = 3},
        "line 2: error: num_hidden_layers: the config says 2, the checkpoint has 3 layers, model.layers.0 to "
        "model.layers.2\n");
    add("fewer layers", plainLlama, {.layers = 1},
        "line 2: error: num_hidden_layers: the config says 2, the checkpoint has 1 layer, it lacks model.layers.1\n");
    add("vocabulary", plainLlama, {.vocabulary = 101},
        "line 2: error: vocab_size: the config says 100, model.embed_tokens.weight [101, 64] of the checkpoint has 101 "
        "rows\n");
    add("width", plainLlama, {.hidden = 32},
        "line 2: error: hidden_size: the config says 64, model.embed_tokens.weight [100, 32] of the checkpoint has 32 "
        "columns\n");
    add("no output layer", plainLlama, {.output = false},
        "line 3: error: tie_word_embeddings: the config says false, but the checkpoint has no lm_head.weight: readers "
        "stop with an error or begin with random weights\n");
    add("an output layer that is tied", with(plainLlama, "false}", "true}"), {},
        "line 3: warning: tie_word_embeddings: the config says true, but the checkpoint has lm_head.weight [100, 64] "
        "of "
        "its own, which readers replace by model.embed_tokens.weight\n");
    const std::string qwen = with(with(plainLlama, "llama", "qwen3"), "\"hidden_size\"",
                                  "\"head_dim\": 16, "
                                  "\"hidden_size\"");
    add("a class with norms", with(qwen, "Llama", "Qwen3"), {},
        "line 1: error: model_type: qwen3 normalises queries and keys, but the checkpoint has no q_norm and k_norm\n");
    add("a norm tells head_dim", with(qwen, "Llama", "Qwen3"), {.key_value_heads = 1, .dim = 32, .norm = 32},
        "line 2: error: num_key_value_heads: the config says 2, model.layers.0.self_attn.k_proj.weight [32, 64] of the "
        "checkpoint has 1 head of 32, as in 1 other layer\nline 2: error: head_dim: the config says 16, "
        "model.layers.0.self_attn.q_norm.weight [32] of the checkpoint has heads of 32, as in 1 other layer\n");
  }
  void by_hand() {
    QFETCH(QByteArray, config);
    QFETCH(LlamaShapes, shapes);
    QFETCH(QByteArray, sentence);
    std::string found = findingsOf(config.toStdString(), shapes.tensors());
    // The order of findings of one line is that of their columns.
    QStringList lines = QString::fromStdString(found).split('\n'), expected = QString(sentence).split('\n');
    lines.sort();
    expected.sort();
    QCOMPARE(lines, expected);
  }

  void one_tensor_of_queries_keys_and_values() {
    const std::string phi = with(with(plainLlama, "llama", "phi3"), "Llama", "Phi3");
    const auto fused = [](Index rows) {
      NamedShapes all = LlamaShapes().tensors();
      std::erase_if(all, [](const auto& each) { return each.first.find("_proj") != std::string::npos; });
      for (const char* layer : {"0", "1"})
        all.push_back({std::string("model.layers.") + layer + ".self_attn.qkv_proj.weight", {rows, 64}});
      return all;
    };
    COMPARE_TEXT(findingsOf(phi, fused((4 + 2 * 2) * 16)), "");
    QVERIFY(
        findingsOf(phi, fused((4 + 2 * 1) * 16))
            .find("num_key_value_heads: the config says 2, model.layers.0.self_attn.qkv_proj.weight [96, 64] of the "
                  "checkpoint has 1 heads of 16 beside 4 of queries") != std::string::npos);
    QVERIFY(findingsOf(phi, fused((4 + 2 * 2) * 4)).find("has 8 heads of 4") != std::string::npos);
  }

  void latent_attention() {
    const std::string deepseek = R"({"model_type": "deepseek_v2", "hidden_size": 64, "num_attention_heads": 4,
      "num_key_value_heads": 4, "num_hidden_layers": 1, "kv_lora_rank": 8, "qk_nope_head_dim": 6,
      "qk_rope_head_dim": 2, "v_head_dim": 5, "q_lora_rank": null, "max_position_embeddings": 128})";
    const auto tensors = [](Index heads, Index rank) {
      const std::string name = "model.layers.0.self_attn.";
      return NamedShapes{{name + "q_proj.weight", {heads * 8, 64}},
                         {name + "kv_a_proj_with_mqa.weight", {rank + 2, 64}},
                         {name + "kv_b_proj.weight", {heads * 11, rank}},
                         {name + "o_proj.weight", {64, heads * 5}}};
    };
    const auto errors = [&](const NamedShapes& all) {
      QStringList lines = QString::fromStdString(findingsOf(deepseek, all)).split('\n');
      return lines.filter("error").join('\n');
    };
    QCOMPARE(errors(tensors(4, 8)), QString());
    QCOMPARE(
        errors(tensors(4, 6)),
        "line 2: error: kv_lora_rank: the config says 8, model.layers.0.self_attn.kv_a_proj_with_mqa.weight [8, 64] "
        "of the checkpoint has 8 outputs, 6 without qk_rope_head_dim");
    QVERIFY(errors(tensors(2, 8))
                .contains("num_attention_heads: the config says 4, "
                          "model.layers.0.self_attn.q_proj.weight [16, 64] of the checkpoint has 2 "
                          "heads of 8"));
  }

  /// The output projection and the number of heads agree: sizes of heads differ.
  void sizes_of_latent_heads() {
    const auto config = [](int plain, int values) {
      return R"({"model_type": "deepseek_v2", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 1,
        "kv_lora_rank": 8, "qk_nope_head_dim": )" +
             std::to_string(plain) + R"(, "qk_rope_head_dim": 2, "v_head_dim": )" + std::to_string(values) +
             R"(, "q_lora_rank": null, "max_position_embeddings": 128})";
    };
    const std::string name = "model.layers.0.self_attn.";
    const NamedShapes all{{name + "q_proj.weight", {32, 64}},
                          {name + "kv_a_proj_with_mqa.weight", {10, 64}},
                          {name + "kv_b_proj.weight", {44, 8}},
                          {name + "o_proj.weight", {64, 20}}};
    const auto errors = [&](const std::string& text) {
      return QString::fromStdString(findingsOf(text, all)).split('\n').filter("error");
    };
    QCOMPARE(errors(config(6, 5)), QStringList());
    QCOMPARE(errors(config(6, 4)).size(), 1);
    QVERIFY(errors(config(6, 4))
                .front()
                .contains("v_head_dim: the config says 4, model.layers.0.self_attn.o_proj.weight "
                          "[64, 20] of the checkpoint takes 4 heads of 5"));
    QCOMPARE(errors(config(3, 5)).size(), 1);
    QVERIFY(errors(config(3, 5))
                .front()
                .contains("qk_nope_head_dim: the config says 3, model.layers.0.self_attn.kv_b_proj.weight [44, 8] of "
                          "the checkpoint has 4 "
                          "heads of 6 and 5"));
  }

  void the_key_of_t5() {
    const std::string t5 = R"({"model_type": "t5", "d_model": 64, "num_heads": 4, "d_kv": 8, "num_layers": 1,
      "vocab_size": 100, "relative_attention_num_buckets": 32})";
    NamedShapes all{{"shared.weight", {100, 64}}};
    for (const char* part : {"q", "k", "v"})
      all.push_back({std::string("encoder.block.0.layer.0.SelfAttention.") + part + ".weight", {64, 64}});
    const std::string found = findingsOf(t5, all);
    QVERIFY2(found.find("d_kv: the config says 8, encoder.block.0.layer.0.SelfAttention.q.weight [64, 64] of the "
                        "checkpoint has 4 heads of 16") != std::string::npos,
             found.c_str());
  }

  /// Packed by a quantiser: the width is another one, and nothing is said.
  void packed_weights() {
    NamedShapes all = LlamaShapes().tensors();
    for (auto& [name, shape] : all)
      if (name.find("_proj") != std::string::npos) shape = {shape[0] * shape[1] / 2, 1};
    COMPARE_TEXT(findingsOf(plainLlama, all), "");
  }

  void other_models_of_the_file() {
    NamedShapes all = LlamaShapes().tensors();
    for (auto& [name, shape] : all) name = "language_model." + name;
    for (int layer = 0; layer < 30; ++layer)
      all.push_back({"vision_tower.encoder.layers." + std::to_string(layer) + ".self_attn.q_proj.weight", {9, 64}});
    COMPARE_TEXT(findingsOf(plainLlama, all), "");
  }

  void files() {
    Checkpoint checkpoint = checkpointOf(LlamaShapes{.layers = 1}.tensors());
    checkpoint.missing = {"b", "c"};
    COMPARE_TEXT(findingsOf(plainLlama, checkpoint),
                 "line 1: note: the checkpoint lacks b and 1 more of 3 files: the shapes in them are not known\n");
    checkpoint.missing.clear();
    checkpoint.problems = {"a: it is damaged"};
    COMPARE_TEXT(findingsOf(plainLlama, checkpoint), "line 1: error: the checkpoint: a: it is damaged\n");
    COMPARE_TEXT(
        findingsOf(plainLlama, Checkpoint{.unread = {"tf_model.h5"}}),
        "line 1: note: tf_model.h5 is not read for shapes, only safetensors files and whole torch files are\n");
  }

  /// Nothing is said exactly where all projections have the outputs that the config means.
  void random_heads() {
    Random random(29);
    for (int i = 0; i < rounds(400); ++i) {
      const Index groups = pick(random, 1, 3), config_keys = pick(random, 1, 4), config_dim = 2 * pick(random, 1, 8);
      LlamaShapes shapes{
          .hidden = 37, .heads = groups * config_keys, .key_value_heads = config_keys, .dim = config_dim};
      const std::string config = with(with(with(plainLlama, "\"hidden_size\": 64",
                                                "\"hidden_size\": 37, \"head_dim\": " + std::to_string(config_dim)),
                                           "_heads\": 4", "_heads\": " + std::to_string(groups * config_keys)),
                                      "value_heads\": 2", "value_heads\": " + std::to_string(config_keys));
      const Index queries = shapes.heads * shapes.dim, keys = shapes.key_value_heads * shapes.dim;
      if (pick(random, 0, 1)) shapes.dim = 2 * pick(random, 1, 8);
      if (pick(random, 0, 1)) shapes.key_value_heads = pick(random, 1, 4);
      if (pick(random, 0, 1)) shapes.heads = pick(random, 1, 12);
      const bool fits = queries == shapes.heads * shapes.dim && keys == shapes.key_value_heads * shapes.dim;
      const std::string found = findingsOf(config, shapes.tensors());
      QVERIFY2((found.find("of the checkpoint") == std::string::npos) == fits, (config + "\n" + found).c_str());
    }
  }
};

VQSCOPE_TEST(CheckpointCheckTest)
#include "checkpoint_check_test.moc"
