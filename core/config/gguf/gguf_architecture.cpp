// SPDX-License-Identifier: GPL-3.0-or-later
// Source: llama.cpp, llama_model_rope_type in src/llama-model.cpp for the pairs, load_arch_hparams and the graph of
// each file of src/models for windows and layers without RoPE.
#include "core/config/gguf/gguf_architecture.h"

#include <map>

namespace vqscope {
namespace {

using Row = GgufArchitecture;
using enum GgufWindows;

Row plain(std::string_view name, GgufPairs pairs) { return {.name = name, .pairs = pairs}; }

Row other(std::string_view name, PositionScheme kind) { return {.name = name, .kind = kind}; }

Row with_windows(std::string_view name, GgufPairs pairs, Index period, bool first_full = false) {
  Row row = plain(name, pairs);
  row.windows = pattern;
  row.period = period;
  row.first_full = first_full;
  return row;
}

Row with(Row row, auto Row::*member, auto value) {
  row.*member = value;
  return row;
}

Row permuted(std::string_view name) { return with(plain(name, GgufPairs::norm), &Row::permuted, true); }

/// Layers with a window have a theta of their own and no scaling.
Row local(Row row, double theta) { return with(with(row, &Row::local_theta, theta), &Row::unscaled_windows, true); }

// Converted from half-split weights, whose rows are reordered.
constexpr auto permuted_names = {"llama",    "deci",        "baichuan",  "internlm2", "minicpm",    "xverse",
                                 "olmo",     "arctic",      "deepseek",  "chameleon", "bailingmoe", "arcee",
                                 "mistral3", "llama-embed", "maincoder", "eagle3",    "nanbeige"};
constexpr auto norm_names = {"command-r", "chatglm", "neo-bert", "ernie4_5", "ernie4_5-moe", "glm4", "pockettts"};
constexpr auto latent_names = {"deepseek2", "deepseek32", "plm", "mistral4", "glm-dsa", "bailingmoe3"};
constexpr auto neox_names = {
    "falcon",      "falcon-h1", "grok",        "dbrx",      "jina-bert-v3",  "nomic-bert", "nomic-bert-moe",
    "eurobert",    "stablelm",  "bitnet",      "qwen",      "qwen2",         "qwen2moe",   "qwen3",
    "qwen3moe",    "olmoe",     "phi2",        "phimoe",    "plamo",         "plamo2",     "gemma",
    "starcoder2",  "openelm",   "gptneox",     "codeshell", "orion",         "nemotron",   "exaone",
    "bailingmoe2", "dots1",     "hunyuan-moe", "jais2",     "hunyuan-dense", "hy_v3",      "hunyuan_vl",
    "talkie",      "seed_oss",  "grovemoe",    "apertus",   "minimax-m2",    "cogvlm",     "pangu-embedded",
    "glm4moe",     "qwen3next", "minimax-01",  "minimax-m3"};
constexpr auto state_names = {"mamba", "mamba2", "rwkv6", "rwkv6qwen2", "rwkv7", "arwkv7"};
constexpr auto unrotated_names = {"jamba", "nemotron_h", "nemotron_h_moe", "kimi-linear", "kimi-k3"};

void add_plain(std::vector<Row>& rows) {
  for (const auto* name : norm_names) rows.push_back(plain(name, GgufPairs::norm));
  for (const auto* name : permuted_names) rows.push_back(permuted(name));
  for (const auto* name : neox_names) rows.push_back(plain(name, GgufPairs::neox));
  for (const auto* name : latent_names) rows.push_back(with(plain(name, GgufPairs::norm), &Row::latent, true));
  rows.push_back(with(plain("minicpm3", GgufPairs::neox), &Row::latent, true));
  rows.push_back(plain("deepseek2-ocr", GgufPairs::neox));  // in its graph; llama_model_rope_type returns norm
  for (const auto* name : {"qwen2vl", "paddleocr"}) rows.push_back(plain(name, GgufPairs::mrope));
  for (const auto* name : {"qwen3vl", "qwen3vlmoe", "qwen35", "qwen35moe", "qwen3tts"})
    rows.push_back(plain(name, GgufPairs::imrope));
  for (const auto* name : {"granite", "granitemoe", "granitehybrid", "graniteswitch"})
    rows.push_back(with(permuted(name), &Row::nope, GgufNope::by_finetuned));
  rows.push_back(with(permuted("smollm3"), &Row::nope, GgufNope::last));
  // Diffusion models: no key states that they are not causal.
  rows.push_back(with(permuted("llada"), &Row::two_sided, true));
  for (const auto* name : {"llada-moe", "dream", "rnd1"})
    rows.push_back(with(plain(name, GgufPairs::neox), &Row::two_sided, true));
}

void add_windowed(std::vector<Row>& rows) {
  using enum GgufPairs;
  rows.push_back(with(with_windows("gemma2", neox, 2), &Row::window, Index{4096}));
  rows.push_back(local(with_windows("gemma3", neox, 6), 10000));
  rows.push_back(local(with_windows("gemma3n", neox, 5), 10000));
  for (const auto* name : {"gemma4", "gemma4-assistant"}) rows.push_back(local(with_windows(name, neox, 1), 10000));
  rows.push_back(with(local(with_windows("gemma-embedding", neox, 6), 10000), &Row::two_sided, true));
  rows.push_back(with(local(with_windows("modern-bert", neox, 3, true), 10000), &Row::two_sided, true));
  rows.push_back(with_windows("gpt-oss", neox, 2));
  rows.push_back(with(with_windows("olmo2", neox, 4), &Row::unscaled_windows, true));
  rows.push_back(with(with_windows("cohere2", norm, 4), &Row::nope, GgufNope::full));
  rows.push_back(
      with(with(with_windows("cohere2moe", norm, 4, true), &Row::nope, GgufNope::full_sparse), &Row::windows, given));
  const Row exaone = with(with_windows("exaone4", neox, 4), &Row::nope, GgufNope::full);
  rows.push_back(with(with(exaone, &Row::window, Index{4096}), &Row::layers, Index{64}));
  rows.push_back(with(exaone, &Row::name, std::string_view("exaone-moe")));
  rows.push_back(with(with_windows("afmoe", neox, 4), &Row::nope, GgufNope::last));  // also without a window
  const Row smallthinker = with(with_windows("smallthinker", neox, 4, true), &Row::nope, GgufNope::first);
  rows.push_back(with(with(smallthinker, &Row::window, Index{4096}), &Row::own_window, true));
  rows.push_back(with(with(with_windows("llama4", norm, 4), &Row::chunk, Index{8192}), &Row::nope, GgufNope::last));
  rows.push_back(local(with_windows("plamo3", neox, 8), 10000));
  rows.push_back(with(with_windows("laguna", neox, 4, true), &Row::unscaled_windows, true));
  rows.push_back(local(with_windows("mimo2", neox, 1), 10000));
  rows.push_back(local(with_windows("step35", neox, 1), 10000));
  rows.push_back(with(with(with_windows("mellum", neox, 4), &Row::windows, given), &Row::unscaled_windows, true));
  rows.push_back(with(permuted("granite_swa"), &Row::windows, given));
  const Row muse = with(with_windows("muse-glimmer", norm, 4), &Row::nope, GgufNope::full);
  rows.push_back(with(with(with(muse, &Row::permuted, true), &Row::windows, given), &Row::unscaled_windows, true));
  for (const auto* name : {"lfm2", "lfm2moe"}) rows.push_back(with_windows(name, neox, 0));  // each that attends
  rows.push_back(with(plain("phi3", neox), &Row::windows, disabled));
}

/// Every layer of DeepSeek V4 has a window, and some also a compressed cache with a RoPE of its
/// own. A draft model sees the whole block that it drafts.
void add_deepseek(std::vector<Row>& rows) {
  using enum GgufPairs;
  const Row row = with(with_windows("deepseek4", norm, 0), &Row::unscaled_windows, true);
  rows.push_back(row);
  rows.push_back(with(with(row, &Row::name, std::string_view("dflash deepseek4")), &Row::two_sided, true));
  rows.push_back(with(with(with_windows("dflash", neox, 1), &Row::windows, given), &Row::two_sided, true));
  rows.push_back(with(with(with_windows("dots3note", norm, 1), &Row::windows, given), &Row::latent, true));
}

void add_without_rope(std::vector<Row>& rows) {
  for (const auto* name : state_names) rows.push_back(other(name, PositionScheme::none));
  for (const auto* name : unrotated_names) rows.push_back(other(name, PositionScheme::none));
  for (const auto* name : {"gpt2", "starcoder", "bert"}) rows.push_back(other(name, PositionScheme::learned));
  for (const auto* name : {"bloom", "refact", "mpt", "jais", "jina-bert-v2"})
    rows.push_back(other(name, PositionScheme::alibi));
  for (const auto* name : {"t5", "t5encoder"}) rows.push_back(other(name, PositionScheme::t5_buckets));
}

std::map<std::string_view, Row> by_name() {
  std::vector<Row> rows;
  add_plain(rows);
  add_windowed(rows);
  add_deepseek(rows);
  add_without_rope(rows);
  std::map<std::string_view, Row> all;
  for (const auto& row : rows) all.emplace(row.name, row);
  return all;
}

const Row unknown_architecture;

}  // namespace

const GgufArchitecture& find_gguf_architecture(std::string_view name) {
  static const auto all = by_name();
  const auto it = all.find(name);
  return it == all.end() ? unknown_architecture : it->second;
}

}  // namespace vqscope
