// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_text.h"
#include "core/config/gguf/gguf_model.h"
#include "tests/core/io/gguf/gguf_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The values of a small model and, beside them, the sizes of its tensors.
struct GgufCase {
  std::string name = "llama";
  std::uint32_t hidden = 64, heads = 4, key_value_heads = 2, dim = 16, layers = 2, tokens = 100;
  bool gives_dim = true;
  std::uint32_t norm = 0, parts = 1;
  bool fused = false;

  GgufBytes values() const {
    GgufBytes file;
    file.text("general.architecture", name)
        .integer(name + ".block_count", layers)
        .integer(name + ".context_length", 128)
        .integer(name + ".embedding_length", hidden)
        .integer(name + ".attention.head_count", heads)
        .integer(name + ".attention.head_count_kv", key_value_heads)
        .integer("split.count", parts)
        .texts("tokenizer.ggml.tokens", std::vector<std::string>(tokens, "a"));
    if (gives_dim) file.integer(name + ".attention.key_length", dim).integer(name + ".attention.value_length", dim);
    return file;
  }
  void add_tensors(GgufBytes& file) const {
    file.shape("token_embd.weight", {tokens, hidden});
    for (std::uint32_t layer = 0; layer < layers; ++layer) {
      const std::string start = "blk." + std::to_string(layer) + ".attn_";
      const std::uint64_t queries = heads * dim, keys = key_value_heads * dim;
      if (fused) {
        file.shape(start + "qkv.weight", {queries + 2 * keys, hidden});
      } else {
        file.shape(start + "q.weight", {queries, hidden});
        file.shape(start + "k.weight", {keys, hidden});
        file.shape(start + "v.weight", {keys, hidden});
      }
      file.shape(start + "output.weight", {hidden, queries});
      if (norm > 0) file.shape(start + "q_norm.weight", {norm}).shape(start + "k_norm.weight", {norm});
    }
  }
};

/// Findings of a file whose values are those of one case and whose tensors are those of another.
std::string gguf_findings(const GgufCase& values, const GgufCase& tensors) {
  GgufBytes file = values.values();
  tensors.add_tensors(file);
  const std::string bytes = file.bytes();
  const auto report = examine_gguf(MemorySource(bytes));
  if (!report) return report.error().message;
  std::string all;
  for (const auto& finding : report->findings)
    if (finding.severity == ConfigSeverity::error) all += finding_text(finding) + "\n";
  return all;
}

}  // namespace

class GgufTensorsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void key_value_heads_contradict() {
    COMPARE_TEXT(gguf_findings({}, {.key_value_heads = 1}),
                 "error: llama.attention.head_count_kv (num_key_value_heads): the file says 2, blk.0.attn_k.weight "
                 "[16, 64] has 1 head of 16, as in 1 other layer; llama.cpp refuses the file\n");
    COMPARE_TEXT(gguf_findings({.fused = true}, {.key_value_heads = 1, .fused = true}),
                 "error: llama.attention.head_count_kv (num_key_value_heads): the file says 2, blk.0.attn_qkv.weight "
                 "[96, 64] has 1 heads of 16 beside 4 of queries, as in 1 other layer; llama.cpp refuses the file\n");
  }

  void head_sizes_contradict() {
    COMPARE_TEXT(gguf_findings({.dim = 8}, {}),
                 "error: llama.attention.key_length (head_dim): the file says 8, blk.0.attn_q.weight [64, 64] has 4 "
                 "heads of 16, as in 1 other layer; llama.cpp refuses the file\n");
    const std::string by_norm = gguf_findings({.name = "qwen3", .gives_dim = false}, {.dim = 32, .norm = 32});
    QVERIFY2(by_norm.find("qwen3.attention.key_length (head_dim): the file does not say it, which means 16, "
                          "blk.0.attn_q_norm.weight [32] has heads of 32") != std::string::npos,
             by_norm.c_str());
  }

  void layers_vocabulary_and_width() {
    COMPARE_TEXT(gguf_findings({}, {.layers = 3}),
                 "error: llama.block_count (num_hidden_layers): the file says 2, it has 3 layers, blk.0 to "
                 "blk.2; llama.cpp refuses the file\n");
    COMPARE_TEXT(gguf_findings({.layers = 4}, {}),
                 "error: llama.block_count (num_hidden_layers): the file says 4, it has 2 layers, it lacks blk.2 "
                 "and 1 more; llama.cpp refuses the file\n");
    COMPARE_TEXT(gguf_findings({.layers = 4, .parts = 2}, {}), "");
    COMPARE_TEXT(gguf_findings({.tokens = 99}, {}),
                 "error: llama.vocab_size: the file has 99 tokens, token_embd.weight [100, 64] has 100 rows; llama.cpp "
                 "refuses the file\n");
    const std::string width = gguf_findings({.hidden = 128}, {});
    QVERIFY2(width.find("llama.embedding_length (hidden_size): the file says 128, token_embd.weight [100, 64] has 64 "
                        "columns") != std::string::npos,
             width.c_str());
  }

  void norms_of_queries_and_keys() {
    COMPARE_TEXT(gguf_findings({.name = "qwen3"}, {.name = "qwen3"}),
                 "error: general.architecture: qwen3 normalises queries and keys, but the file has no attn_q_norm; "
                 "llama.cpp refuses the file\n");
    COMPARE_TEXT(gguf_findings({}, {.norm = 16}),
                 "error: general.architecture: llama does not normalise queries and keys, but the file has "
                 "blk.0.attn_q_norm.weight [16]; llama.cpp refuses the file\n");
    COMPARE_TEXT(gguf_findings({.name = "qwen3"}, {.name = "qwen3", .norm = 16}), "");
  }

  /// The sizes of DeepSeek V2 Lite and of V3, as their converter writes them.
  void latent_attention() {
    const auto findings = [](std::uint32_t heads, std::uint32_t query_rank, std::uint64_t rows) {
      GgufBytes file;
      file.text("general.architecture", "deepseek2")
          .integer("deepseek2.block_count", 1)
          .integer("deepseek2.context_length", 128)
          .integer("deepseek2.embedding_length", 2048)
          .integer("deepseek2.attention.head_count", heads)
          .integer("deepseek2.attention.head_count_kv", 1)
          .integer("deepseek2.attention.key_length", 576)
          .integer("deepseek2.attention.value_length", 512)
          .integer("deepseek2.attention.key_length_mla", 192)
          .integer("deepseek2.attention.value_length_mla", 128)
          .integer("deepseek2.attention.kv_lora_rank", 512)
          .integer("deepseek2.rope.dimension_count", 64)
          .shape("blk.0.attn_kv_a_mqa.weight", {rows, 2048})
          .shape("blk.0.attn_kv_b.weight", {16 * 256, 512})
          .shape("blk.0.attn_output.weight", {2048, 16 * 128});
      if (query_rank > 0) {
        file.integer("deepseek2.attention.q_lora_rank", query_rank);
        file.shape("blk.0.attn_q_a.weight", {query_rank, 2048});
        file.shape("blk.0.attn_q_b.weight", {std::uint64_t{16} * 192, query_rank});
      } else {
        file.shape("blk.0.attn_q.weight", {16 * 192, 2048});
      }
      const std::string bytes = file.bytes();
      const auto report = examine_gguf(MemorySource(bytes));
      std::string all;
      for (const auto& finding : report->findings)
        if (finding.severity == ConfigSeverity::error) all += finding_text(finding) + "\n";
      return all;
    };
    COMPARE_TEXT(findings(16, 0, 576), "");
    COMPARE_TEXT(findings(16, 1536, 576), "");
    const std::string heads = findings(32, 1536, 576);
    QVERIFY2(heads.find("deepseek2.attention.head_count (num_attention_heads): the file says 32, "
                        "blk.0.attn_q_b.weight [3072, 1536] has 16 heads of 192") != std::string::npos,
             heads.c_str());
    COMPARE_TEXT(findings(16, 0, 640),
                 "error: deepseek2.attention.kv_lora_rank: the file says 512, "
                 "blk.0.attn_kv_a_mqa.weight [640, 2048] has 640 outputs, 576 without qk_rope_head_dim; llama.cpp "
                 "refuses the file\n");
  }

  /// A file agrees with itself, whatever its sizes; another number of heads is found.
  void random_sizes() {
    Random random(30);
    const auto number = [&](Index most) { return static_cast<std::uint32_t>(pick(random, 1, most)); };
    for (int round = 0; round < 200; ++round) {
      GgufCase own;
      own.key_value_heads = number(4);
      own.heads = own.key_value_heads * number(4);
      own.dim = 8 * number(8);
      own.hidden = 8 * number(64);
      own.fused = round % 2 == 1;
      COMPARE_TEXT(gguf_findings(own, own), "");
      GgufCase other = own;
      other.key_value_heads = 2 * own.key_value_heads;
      other.heads = 2 * own.heads;
      QVERIFY(!gguf_findings(own, other).empty());
    }
  }

  /// Adapters, projectors and vocabularies have no layers of their own.
  void other_files() {
    GgufBytes adapter = GgufCase().values();
    adapter.text("general.type", "adapter").shape("blk.0.attn_q.weight", {1, 64});
    const std::string bytes = adapter.bytes();
    QCOMPARE(examine_gguf(MemorySource(bytes))->count(ConfigSeverity::error), Index{0});
    const std::string vocabulary = GgufCase().values().bytes();
    QCOMPARE(examine_gguf(MemorySource(vocabulary))->count(ConfigSeverity::error), Index{0});
  }
};

VQSCOPE_TEST(GgufTensorsTest)
#include "gguf_tensors_test.moc"
