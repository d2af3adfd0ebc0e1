// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"
#include "core/config/compare/compare.h"
#include "core/config/config_text.h"
#include "core/config/gguf/gguf_model.h"
#include "core/config/model_config.h"
#include "core/io/gguf/gguf.h"
#include "tests/core/io/gguf/gguf_bytes.h"
#include "tests/mutate/reader.h"

#include <unistd.h>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace vqscope::mutate {
namespace {

/// Limit of `vqscope config` for one file, however it is damaged.
constexpr Limits config_limits{.seconds = 1, .memory = std::uint64_t{256} << 20};
constexpr long most_printed = 64 * 1024;

Sentences sentences_of(const Result<ConfigReport>& report) {
  if (!report) return {report.error().message};
  Sentences all{report->summary};
  for (const auto& finding : report->findings) all.push_back(finding.sentence);
  (void)comparison_text("a", "b", compare_configs(*report, *report));
  return all;
}

Sentences read_config(const Bytes& bytes) { return sentences_of(read_model_config(bytes)); }

Sentences read_gguf(const Bytes& bytes) { return sentences_of(examine_gguf(MemorySource(bytes))); }

/// The whole command on a file: what it prints is measured.
Sentences read_config_file(const Bytes& bytes) {
  static std::FILE* const printed = std::tmpfile();
  static const bool ready =
      printed && ::dup2(::fileno(printed), STDOUT_FILENO) >= 0 && std::freopen("/dev/null", "w", stderr) != nullptr;
  if (!ready) throw std::runtime_error("the standard output cannot be kept");
  const std::string path = begins_as_gguf(bytes) ? "c.gguf" : "c.json";
  std::ofstream(path, std::ios::binary) << bytes;
  (void)runCommandLine({"config", path});
  std::fflush(stdout);
  const auto size = ::lseek(STDOUT_FILENO, 0, SEEK_END);
  if (::ftruncate(STDOUT_FILENO, 0) != 0 || ::lseek(STDOUT_FILENO, 0, SEEK_SET) != 0 || ::unlink(path.c_str()) != 0)
    throw std::runtime_error("the file cannot be removed");
  if (size > most_printed) throw std::runtime_error("it prints " + std::to_string(size) + " bytes");
  return {};
}

Corpus config_corpus() {
  Corpus corpus{
      .inputs = files_in("resources/configs"),
      .words = {"\"rope_scaling\":", "\"rope_type\":\"yarn\"", "\"factor\":", "\"long_factor\":[1,2]",
                "\"layer_types\":[\"sliding_attention\"]", "\"sliding_window\":", "\"head_dim\":", "\"head_dim\":4096",
                "\"num_hidden_layers\":4096", "\"hidden_size\":16777216", "\"text_config\":{", "\"rope_parameters\":{",
                "\"index_topk\":", "\"compress_ratios\":[0,4,128]", "\"linear_attn_config\":{", "null",
                "\"mscale_all_dim\":0", "\"yarn\":{\"factor\":2,\"beta\":32}"}};
  corpus.inputs.emplace_back(R"({"dim": 256, "n_layers": 4, "n_heads": 4, "sliding_window": [null, 16]})");
  corpus.inputs.emplace_back(
      R"({"model_type": "deepseek_v4", "num_hidden_layers": 3, "head_dim": 512, "qk_rope_head_dim": 64,)"
      R"( "compress_rope_theta": 160000, "compress_ratios": [0, 4, 128], "sliding_window": 128, "index_topk": 512})");
  corpus.inputs.emplace_back(
      R"({"model_type": "minimax_m3", "num_hidden_layers": 3, "head_dim": 128, "sparse_attention_config": )"
      R"({"sparse_attention_freq": [0, 1, 1], "sparse_block_size": 128, "sparse_topk_blocks": 16}})");
  corpus.inputs.emplace_back(
      R"({"model_type": "kimi_linear", "num_hidden_layers": 4, "mla_use_nope": true, "kv_lora_rank": 512,)"
      R"( "linear_attn_config": {"full_attn_layers": [4], "head_dim": 128, "num_heads": 32,)"
      R"( "short_conv_kernel_size": 4}})");
  return corpus;
}

/// Models with each kind of value that is read.
Corpus gguf_corpus() {
  const auto model = [](const std::string& name) {
    return test::GgufBytes()
        .text("general.architecture", name)
        .integer(name + ".block_count", 4)
        .integer(name + ".context_length", 8192)
        .integer(name + ".embedding_length", 32)
        .integers(name + ".attention.head_count", {4, 4, 4, 4})
        .real(name + ".rope.freq_base", 10000)
        .texts("tokenizer.ggml.tokens", {"a", "b"});
  };
  return {
      .inputs = {model("llama").tensor("rope_freqs.weight", {1, 2, 4, 8}).bytes(),
                 model("gemma3").integer("gemma3.attention.sliding_window", 16).bytes(),
                 model("qwen2").text("qwen2.rope.scaling.type", "yarn").real("qwen2.rope.scaling.factor", 4).bytes(),
                 model("deepseek4").integers("deepseek4.attention.compress_ratios", {0, 4, 128, 0}).bytes(),
                 model("glm-dsa").integer("glm-dsa.attention.indexer.top_k", 2048).bytes(),
                 model("mamba").integer("mamba.ssm.inner_size", 64).integer("mamba.ssm.state_size", 16).bytes(),
                 model("phi3").tensor("rope_factors_long.weight", {1, 2, 4, 8}).bytes()},
      .words = {"GGUF", "llama", ".rope.", "yarn", std::string(8, '\xff'), std::string(8, '\0')}};
}

Corpus head_corpus() {
  Corpus both = config_corpus();
  for (auto& input : gguf_corpus().inputs) both.inputs.push_back(std::move(input));
  for (auto& word : gguf_corpus().words) both.words.push_back(std::move(word));
  return both;
}

}  // namespace

std::vector<Reader> config_readers() {
  return {{"config", config_corpus(), read_config, {}, config_limits},
          {"gguf", gguf_corpus(), read_gguf, {}, config_limits},
          {"config_file", head_corpus(), read_config_file, {}, config_limits}};
}

}  // namespace vqscope::mutate
