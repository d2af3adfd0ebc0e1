// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/gguf/gguf_model.h"

#include "core/config/config_text.h"
#include "tests/core/config/config_cases.h"
#include "tests/core/io/gguf/gguf_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

ConfigReport examined(const GgufBytes& file) {
  const std::string bytes = file.bytes();
  auto report = examine_gguf(MemorySource(bytes));
  return report ? std::move(*report) : ConfigReport{.summary = report.error().message};
}

/// A small model of an architecture.
GgufBytes model(const std::string& name, std::uint32_t layers = 12) {
  return GgufBytes()
      .text("general.architecture", name)
      .integer(name + ".block_count", layers)
      .integer(name + ".context_length", 8192)
      .integer(name + ".embedding_length", 1024)
      .integer(name + ".attention.head_count", 8)
      .integer(name + ".attention.head_count_kv", 2)
      .real(name + ".rope.freq_base", 500000);
}

/// The layers as letters: f full, s sliding, c chunked, r a state, p sparse, z compressed; capital
/// where they rotate.
std::string letters(const ConfigReport& report) {
  std::string all;
  for (const auto& layer : report.schedule.layers) {
    const char letter = "fscrpz-"[static_cast<int>(layer.attention)];
    all += layer.rope >= 0 ? static_cast<char>(std::toupper(letter)) : letter;
  }
  return all;
}

std::string sentences(const ConfigReport& report) {
  std::string all;
  for (const auto& finding : report.findings) all += finding_text(finding) + "\n";
  return all;
}

}  // namespace

class GgufConfigTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_llama() {
    const ConfigReport report = examined(model("llama"));
    QCOMPARE(report.kind, PositionScheme::rope);
    QCOMPARE(report.ropes.size(), std::size_t{1});
    const RopeUse& use = report.ropes[0];
    QCOMPARE(use.rope_theta, 500000.0);
    QCOMPARE(use.scaling.head_dim, Index{128});
    QVERIFY(use.interleaved);
    QCOMPARE(use.max_position_embeddings, Index{8192});
    QCOMPARE(use.pairs[1].inv_freq, std::pow(500000.0, -2.0 / 128));
    COMPARE_TEXT(letters(report), "FFFFFFFFFFFF");
    QCOMPARE(report.schedule.layers[0].num_key_value_heads, Index{2});
    QCOMPARE(report.schedule.layers[0].head_dim, Index{128});
    QVERIFY(report.schedule.check());
    COMPARE_TEXT(sentences(report), "");
    COMPARE_TEXT(report.views[0].method, "rope_phase");
  }

  /// The factors of Llama 3.1 are in the tensor: the same angles as its config.json gives.
  void llama_3_factors() {
    const ConfigReport config = report_of(llama_scaled(llama3_scaling));
    std::vector<float> divisors;
    for (const auto& pair : config.ropes[0].pairs)
      divisors.push_back(static_cast<float>(pair.plain_inv_freq / pair.inv_freq));
    const ConfigReport report = examined(model("llama").tensor("rope_freqs.weight", divisors));
    QCOMPARE(report.ropes.size(), std::size_t{1});
    COMPARE_TEXT(report.ropes[0].rope_type, "rope_freqs");
    QCOMPARE(report.ropes[0].attention_factor, 1.0);
    for (std::size_t i = 0; i < divisors.size(); ++i) {
      const double ratio = report.ropes[0].pairs[i].inv_freq / config.ropes[0].pairs[i].inv_freq;
      QVERIFY(std::abs(ratio - 1) < 1e-6);
    }
  }

  void yarn() {
    const ConfigReport report = examined(model("qwen2")
                                             .text("qwen2.rope.scaling.type", "yarn")
                                             .real("qwen2.rope.scaling.factor", 4)
                                             .integer("qwen2.rope.scaling.original_context_length", 2048));
    const RopeUse& use = report.ropes[0];
    COMPARE_TEXT(use.scaling.rope_type, "yarn");
    QVERIFY(!use.interleaved);
    QCOMPARE(use.scaling.original_max_position_embeddings, Index{2048});
    QCOMPARE(use.attention_factor, 1 + 0.1 * std::log(4.0));
    QCOMPARE(use.pairs[63].inv_freq, use.pairs[63].plain_inv_freq / 4);
  }

  /// The multiplier is 0.1 times mscale_all_dim for multi-head latent attention.
  void latent_yarn() {
    const ConfigReport report = examined(model("deepseek2")
                                             .integer("deepseek2.rope.dimension_count", 64)
                                             .integer("deepseek2.attention.kv_lora_rank", 512)
                                             .text("deepseek2.rope.scaling.type", "yarn")
                                             .real("deepseek2.rope.scaling.factor", 40)
                                             .integer("deepseek2.rope.scaling.original_context_length", 4096)
                                             .real("deepseek2.rope.scaling.yarn_log_multiplier", 0.1F));
    const RopeUse& use = report.ropes[0];
    QCOMPARE(use.scaling.rotated(), Index{64});
    QVERIFY(std::abs(use.attention_factor - 1) < 1e-6);
    const double m = 1 + 0.1 * std::log(40.0);
    QVERIFY(std::abs(use.softmax_factor / (m * m) - 1) < 1e-6);
    QCOMPARE(report.schedule.layers[0].latent, Index{576});
  }

  void longrope() {
    const std::vector<float> shorter(64, 1), longer(64, 4);
    const ConfigReport report = examined(model("phi3")
                                             .integer("phi3.attention.sliding_window", 2047)
                                             .integer("phi3.rope.scaling.original_context_length", 4096)
                                             .real("phi3.rope.scaling.attn_factor", 1.25F)
                                             .tensor("rope_factors_long.weight", longer)
                                             .tensor("rope_factors_short.weight", shorter));
    COMPARE_TEXT(report.ropes[0].scaling.rope_type, "longrope");
    QCOMPARE(report.ropes[0].attention_factor, 1.25);
    QCOMPARE(report.ropes[0].pairs[0].inv_freq, 0.25);
    COMPARE_TEXT(
        sentences(report),
        "warning: phi3.attention.sliding_window is 2047, but llama.cpp has switched windows off for phi3: every "
        "layer attends to all keys, and results beyond the window differ from the original's\n");
    COMPARE_TEXT(letters(report), "FFFFFFFFFFFF");
  }

  void rules_of_layers_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("layers");
    const auto add = [](const char* name, const char* layers) { QTest::newRow(name) << name << layers; };
    add("llama", "FFFFFFFF");
    add("gemma2", "SFSFSFSF");
    add("gpt-oss", "SFSFSFSF");
    add("gemma3", "SSSSSFSS");
    add("gemma3n", "SSSSFSSS");
    add("olmo2", "SSSFSSSF");
    add("cohere2", "SSSfSSSf");
    add("exaone4", "FFFFFFFF");
    add("exaone-moe", "SSSfSSSf");
    add("cohere2moe", "ffffffff");
    add("deepseek4", "SSSSSSSS");
    add("dflash", "FFFFFFFF");
    add("llama4", "CCCfCCCf");
    add("smollm3", "FFFfFFFf");
    add("smallthinker", "fSSSfSSS");
    add("modern-bert", "FSSFSSFS");
    add("mamba", "rrrrrrrr");
    add("qwen3next", "rrrFrrrF");
    add("jamba", "ffffffff");
    add("granitehybrid", "FFFFFFFF");
  }
  void rules_of_layers() {
    QFETCH(QString, name);
    QFETCH(QString, layers);
    const std::string arch = name.toStdString();
    const ConfigReport report = examined(model(arch, 8).integer(arch + ".attention.sliding_window", 512));
    COMPARE_TEXT(letters(report), layers.toStdString());
    QVERIFY2(report.schedule.check(), sentences(report).c_str());
    QCOMPARE(report.count(ConfigSeverity::error), Index{0});
    for (const auto& layer : report.schedule.layers)
      QVERIFY(layer.window == 0 || layer.window == (arch == "llama4" ? 8192 : arch == "smallthinker" ? 4096 : 512));
  }

  /// EXAONE 4: the model of 64 layers has windows, also where the file does not say how large.
  void windows_by_size() {
    const ConfigReport large = examined(model("exaone4", 64));
    COMPARE_TEXT(letters(large).substr(0, 8), "SSSfSSSf");
    QCOMPARE(large.schedule.layers[0].window, Index{4096});
    const ConfigReport small = examined(model("exaone4", 30).integer("exaone4.attention.sliding_window", 512));
    COMPARE_TEXT(sentences(small),
                 "warning: exaone4.attention.sliding_window is 512, but llama.cpp's code for exaone4 has windows in "
                 "models of 64 layers alone: every layer attends to all keys, and results beyond the window differ "
                 "from the original's\n");
    COMPARE_TEXT(letters(examined(model("gemma2", 4))), "SFSF");
    COMPARE_TEXT(letters(examined(model("gemma3", 4))), "FFFF");
  }

  /// Cohere 2 MoE: dense layers at the beginning have RoPE without a window.
  void dense_layers() {
    const ConfigReport report =
        examined(model("cohere2moe", 6)
                     .integer("cohere2moe.leading_dense_block_count", 1)
                     .integer("cohere2moe.attention.sliding_window", 512)
                     .integers("cohere2moe.attention.sliding_window_pattern", {0, 1, 1, 1, 0, 1}));
    COMPARE_TEXT(letters(report), "FSSSfS");
  }

  /// Layers that compress their cache have a theta of their own, and YaRN without its factor of cos
  /// and sin.
  void compressed_caches() {
    const ConfigReport report = examined(model("deepseek4", 5)
                                             .integer("deepseek4.nextn_predict_layers", 1)
                                             .tensor("blk.4.nextn.eh_proj.weight", {1})
                                             .integer("deepseek4.attention.key_length", 512)
                                             .integer("deepseek4.rope.dimension_count", 64)
                                             .integer("deepseek4.attention.sliding_window", 128)
                                             .integers("deepseek4.attention.compress_ratios", {0, 128, 4, 0, 0})
                                             .real("deepseek4.attention.compress_rope_freq_base", 160000)
                                             .text("deepseek4.rope.scaling.type", "yarn")
                                             .real("deepseek4.rope.scaling.factor", 16));
    COMPARE_TEXT(letters(report), "SZZS");
    QCOMPARE(report.ropes.size(), std::size_t{2});
    QVERIFY(report.ropes[0].interleaved);
    QCOMPARE(report.ropes[0].rope_theta, 160000.0);
    QCOMPARE(report.ropes[0].attention_factor, 1.0);
    QCOMPARE(report.ropes[0].scaling.rotated(), Index{64});
    QCOMPARE(report.ropes[1].rope_theta, 500000.0);
    COMPARE_TEXT(report.ropes[1].scaling.rope_type, "default");
  }

  /// One set of bounds with config.json: a head of 2^24 dimensions would have as many pairs.
  void sizes_beyond_the_bounds() {
    const auto sized = [](std::uint32_t width, std::uint32_t heads) {
      return examined(GgufBytes()
                          .text("general.architecture", "llama")
                          .integer("llama.block_count", 2)
                          .integer("llama.context_length", 8192)
                          .integer("llama.embedding_length", width)
                          .integer("llama.attention.head_count", heads));
    };
    const ConfigReport wide = sized(1 << 24, 1);
    QVERIFY(wide.ropes.empty());
    COMPARE_TEXT(sentences(wide),
                 "error: llama.embedding_length 16777216 / attention.head_count 1 is 16777216, a head must have from 2 "
                 "to 4096 dimensions\n");
    COMPARE_TEXT(sentences(sized((1 << 24) + 1, 1)),
                 "error: llama.embedding_length is 16777217 but must be an integer from 1 to 16777216\n");
    QCOMPARE(sized(4096, 1).ropes[0].pairs.size(), std::size_t{2048});
  }

  void indexers() {
    const ConfigReport glm = examined(model("glm-dsa", 2)
                                          .integer("glm-dsa.rope.dimension_count", 64)
                                          .integer("glm-dsa.attention.kv_lora_rank", 512)
                                          .integer("glm-dsa.attention.indexer.top_k", 2048)
                                          .integer("glm-dsa.attention.indexer.key_length", 128));
    COMPARE_TEXT(letters(glm), "PP");
    QCOMPARE(glm.schedule.layers[0].topk, Index{2048});
    QCOMPARE(glm.schedule.layers[0].index_dim, Index{128});
    const ConfigReport minimax = examined(model("minimax-m3", 3)
                                              .integer("minimax-m3.leading_dense_block_count", 1)
                                              .integer("minimax-m3.attention.indexer.top_k", 16)
                                              .integer("minimax-m3.attention.indexer.block_size", 128)
                                              .integer("minimax-m3.attention.indexer.local_blocks", 1));
    COMPARE_TEXT(letters(minimax), "FPP");
    QCOMPARE(minimax.schedule.layers[1].topk, Index{2048});
    QCOMPARE(minimax.schedule.layers[1].topk_block, Index{128});
  }

  /// 64 · 16 numbers of the state, and 3 inputs of 64 channels.
  void states() {
    const ConfigReport mamba = examined(model("mamba", 2)
                                            .integer("mamba.ssm.inner_size", 64)
                                            .integer("mamba.ssm.state_size", 16)
                                            .integer("mamba.ssm.conv_kernel", 4));
    QCOMPARE(mamba.schedule.layers[0].state_numbers, Index{64 * 16 + 3 * 64});
  }

  void drafts() {
    const ConfigReport plain = examined(model("dflash", 3)
                                            .integer("dflash.attention.sliding_window", 512)
                                            .integers("dflash.attention.sliding_window_pattern", {1, 0, 1}));
    COMPARE_TEXT(letters(plain), "SFS");
    QVERIFY(!plain.ropes[0].interleaved);
    QVERIFY(plain.schedule.layers[1].two_sided);
    const ConfigReport like_v4 = examined(model("dflash", 3)
                                              .integer("dflash.hyper_connection.count", 4)
                                              .integer("dflash.attention.sliding_window", 128)
                                              .text("dflash.rope.scaling.type", "yarn")
                                              .real("dflash.rope.scaling.factor", 16));
    COMPARE_TEXT(letters(like_v4), "SSS");
    QCOMPARE(like_v4.ropes.size(), std::size_t{1});
    QVERIFY(like_v4.ropes[0].interleaved);
    COMPARE_TEXT(like_v4.ropes[0].scaling.rope_type, "default");
  }

  /// Latent attention of two sizes: only what rotates is alike.
  void latent_windows() {
    const ConfigReport report = examined(model("dots3note", 2)
                                             .integer("dots3note.rope.dimension_count", 64)
                                             .integer("dots3note.attention.kv_lora_rank", 512)
                                             .integer("dots3note.attention.key_length", 576)
                                             .integer("dots3note.attention.kv_lora_rank_swa", 256)
                                             .integer("dots3note.attention.key_length_swa", 320)
                                             .integer("dots3note.attention.sliding_window", 512)
                                             .integers("dots3note.attention.sliding_window_pattern", {1, 0})
                                             .real("dots3note.rope.freq_base_swa", 10000));
    COMPARE_TEXT(letters(report), "SF");
    QCOMPARE(report.ropes[1].rope_theta, 10000.0);
    QCOMPARE(report.ropes[1].scaling.rotated(), Index{64});
    QCOMPARE(report.schedule.layers[0].latent, Index{320});
    QCOMPARE(report.schedule.layers[1].latent, Index{576});
  }

  /// Layers with a window of Gemma 3 have a theta of their own and no scaling.
  void window_layers_have_their_own_rope() {
    const ConfigReport report = examined(model("gemma3", 6)
                                             .integer("gemma3.attention.sliding_window", 1024)
                                             .text("gemma3.rope.scaling.type", "linear")
                                             .real("gemma3.rope.scaling.factor", 8));
    QCOMPARE(report.ropes.size(), std::size_t{2});
    COMPARE_TEXT(report.ropes[0].layers, "full_attention");
    COMPARE_TEXT(report.ropes[0].scaling.rope_type, "linear");
    QCOMPARE(report.ropes[1].rope_theta, 10000.0);
    COMPARE_TEXT(report.ropes[1].scaling.rope_type, "default");
    QCOMPARE(report.schedule.layers[0].rope, 1);
    QCOMPARE(report.schedule.layers[5].rope, 0);
  }

  /// Gemma 4: pairs whose angle is divided by 1e30 stand still.
  void pairs_without_rotation() {
    std::vector<float> divisors(256, 1e30F);
    std::fill_n(divisors.begin(), 64, 1.0F);
    const ConfigReport report = examined(GgufBytes()
                                             .text("general.architecture", "gemma4")
                                             .integer("gemma4.block_count", 6)
                                             .integer("gemma4.context_length", 131072)
                                             .integer("gemma4.embedding_length", 2560)
                                             .integer("gemma4.attention.head_count", 8)
                                             .integer("gemma4.attention.key_length", 512)
                                             .integer("gemma4.attention.key_length_swa", 256)
                                             .integer("gemma4.rope.dimension_count", 512)
                                             .integer("gemma4.rope.dimension_count_swa", 256)
                                             .integer("gemma4.attention.sliding_window", 512)
                                             .integers("gemma4.attention.sliding_window_pattern", {1, 1, 1, 1, 1, 0})
                                             .integer("gemma4.attention.shared_kv_layers", 2)
                                             .real("gemma4.rope.freq_base", 1e6)
                                             .real("gemma4.rope.freq_base_swa", 10000)
                                             .tensor("rope_freqs.weight", divisors));
    COMPARE_TEXT(sentences(report), "");
    QCOMPARE(report.ropes[0].pairs.size(), std::size_t{64});
    QCOMPARE(report.ropes[0].apart, Index{256});
    COMPARE_TEXT(report.views[0].values.choice("pair_layout"), "head_split");
    QVERIFY(std::abs(report.ropes[0].pairs[1].inv_freq / std::pow(1e6, -2.0 / 512) - 1) < 1e-12);
    QCOMPARE(report.ropes[1].scaling.head_dim, Index{256});
    COMPARE_TEXT(letters(report), "SSSSSF");
    QCOMPARE(report.schedule.layers[4].shares_kv_with, 3);
    QCOMPARE(report.schedule.layers[5].shares_kv_with, -1);
    QCOMPARE(report.schedule.layers[5].head_dim, Index{512});
  }

  void other_encodings() {
    QCOMPARE(examined(model("bloom")).kind, PositionScheme::alibi);
    QCOMPARE(examined(model("bloom")).heads, Index{8});
    QCOMPARE(examined(model("gpt2")).tables[0].length, Index{8192});
    QCOMPARE(examined(model("baichuan", 40)).kind, PositionScheme::alibi);
    QCOMPARE(examined(model("baichuan", 32)).kind, PositionScheme::rope);
    QCOMPARE(examined(model("t5")).kind, PositionScheme::t5_buckets);
    QCOMPARE(examined(model("rwkv7")).kind, PositionScheme::none);
    QCOMPARE(examined(model("granite").boolean("granite.rope.scaling.finetuned", false)).kind, PositionScheme::none);
  }

  void another_exponent_of_alibi() {
    const auto is_reported = [](float bias) {
      const ConfigReport report = examined(model("mpt").real("mpt.attention.max_alibi_bias", bias));
      return report.kind == PositionScheme::alibi && std::ranges::any_of(report.findings, [](const auto& finding) {
               return finding.sentence.find("llama.cpp has slopes of 2^(-16(h + 1)/n)") != std::string::npos;
             });
    };
    QVERIFY(is_reported(16));
    QVERIFY(!is_reported(8));
  }

  void heads_by_layer() {
    const ConfigReport report = examined(GgufBytes()
                                             .text("general.architecture", "lfm2")
                                             .integer("lfm2.block_count", 4)
                                             .integer("lfm2.context_length", 4096)
                                             .integer("lfm2.embedding_length", 1024)
                                             .integer("lfm2.attention.head_count", 16)
                                             .integers("lfm2.attention.head_count_kv", {0, 8, 0, 4}));
    COMPARE_TEXT(letters(report), "rFrF");
    QCOMPARE(report.schedule.layers[3].num_key_value_heads, Index{4});
  }

  void mistakes() {
    COMPARE_TEXT(examined(GgufBytes().integer("split.no", 1)).summary,
                 "the file is part 2 of a GGUF model in several files: open the first, whose head describes the model");
    COMPARE_TEXT(examined(GgufBytes().integer("a", 1)).summary,
                 "the GGUF file has no general.architecture among its 1 values, so it is not a model");
    COMPARE_TEXT(sentences(examined(GgufBytes()
                                        .text("general.architecture", "llama")
                                        .integer("llama.context_length", 4096)
                                        .integer("llama.embedding_length", 512)
                                        .integer("llama.attention.head_count", 8)
                                        .real("llama.rope.freq_base", 10000))),
                 "warning: llama.block_count is not given: the layers are not known, and llama.cpp refuses the file\n");
    const ConfigReport unknown = examined(model("newest"));
    QCOMPARE(unknown.count(ConfigSeverity::warning), Index{1});
    QVERIFY(sentences(unknown).starts_with(
        "warning: general.architecture newest is not known to this program: the pair layout"));
    const ConfigReport bad = examined(model("llama").tensor("rope_freqs.weight", {1, 2, 3}));
    COMPARE_TEXT(sentences(bad), "error: tensor rope_freqs.weight has 3 numbers but must have 64, one for each pair\n");
    QVERIFY(bad.ropes.empty());
    QVERIFY(sentences(examined(model("llama").integer("llama.attention.sliding_window", 4096)))
                .starts_with(
                    "warning: llama.attention.sliding_window is 4096, but llama.cpp's code for llama reads no window"));
    QVERIFY(sentences(examined(model("llama").text("llama.rope.scaling.type", "magic")))
                .starts_with("error: llama.rope.scaling.type is \"magic\" but must be none, linear, yarn or longrope"));
  }

  void damaged_files() {
    const std::string whole =
        model("gemma3").integer("gemma3.attention.sliding_window", 512).tensor("rope_freqs.weight", {1, 2}).bytes();
    Random random(3);
    for (int round = 0; round < 3000; ++round) {
      std::string bytes = whole;
      for (Index edits = pick(random, 1, 6); edits > 0; --edits)
        bytes[static_cast<std::size_t>(pick(random, 0, std::ssize(bytes) - 1))] =
            static_cast<char>(pick(random, 0, 255));
      const auto report = examine_gguf(MemorySource(bytes));
      if (!report) continue;
      QVERIFY(report->summary.find('\n') == std::string::npos);
      for (const auto& use : report->ropes)
        for (const auto& pair : use.pairs) QVERIFY(std::isfinite(pair.inv_freq));
    }
  }
};

VQSCOPE_TEST(GgufConfigTest)
#include "gguf_config_test.moc"
