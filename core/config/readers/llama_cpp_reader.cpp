// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: the converters in llama.cpp's conversion folder, which read both places of the keys, src/llama-context.cpp
// for yarn's factors, src/models for windows.
#include "core/config/family/model_family.h"
#include "core/config/gguf/gguf_architecture.h"
#include "core/config/readers/config_readers.h"
#include "core/config/rope/rope_reading.h"
#include "core/encoding/rope/rope_formulas.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Families whose window llama.cpp's code does not apply.
bool drops_windows(std::string_view type) {
  for (const auto* each : {"mistral", "ministral3", "mixtral", "qwen2", "qwen2_moe", "qwen2_vl_text", "qwen2_5_vl_text",
                           "qwen3", "qwen3_moe", "phi3", "phimoe", "starcoder2"})
    if (type == each) return true;
  return false;
}

const RopeUse* use_of(const ReadConfig& config, std::string_view layers) {
  for (const auto& use : config.report.ropes)
    if (use.layers == layers || use.layers.empty()) return &use;
  return nullptr;
}

void unscale(const RopeUse& use, RopeReading& rope) {
  rope.type = "default";
  rope.factor = 1;
  for (std::size_t i = 0; i < std::min(rope.inv_freq.size(), use.pairs.size()); ++i)
    rope.inv_freq[i] = use.pairs[i].plain_inv_freq;
}

/// attention_factor is not used.
void take_yarn(const ReadConfig& config, const RopeUse& use, RopeReading& rope) {
  take_frequencies(yarn_of_llama_cpp(use.scaling, config.report.model_type), rope);
  const bool own = find_model_family(config.report.model_type).plain_yarn;  // cos and sin are not multiplied
  if (rope.softmax_factor == 1 && !own) rope.attention_factor = yarn_mscale(rope.factor);
}

/// Mistral's converter writes mscale_all_dim, which others leave out.
void divide_by_mscale(const ReadConfig& config, RopeReading& rope) {
  const auto mscale = scaling_number(config.root, rope.layers, "mscale_all_dim");
  const std::string& type = config.report.model_type;
  if (mscale && rope.softmax_factor == 1 && (type.starts_with("mistral") || type.starts_with("ministral")))
    rope.attention_factor /= yarn_mscale(rope.factor, *mscale);
}

/// The code for EXAONE 4 has windows, and layers without RoPE, in models of one size alone.
bool has_no_exaone_windows(const ReadConfig& config) {
  return config.report.model_type == "exaone4" &&
         std::ssize(config.report.schedule.layers) != find_gguf_architecture("exaone4").layers;
}

}  // namespace

ConfigReading read_as_llama_cpp(const ReadConfig& config) {
  ConfigReading reading = read_as_hugging_face_5(config);
  reading.reader = "llama.cpp";
  for (auto& rope : reading.ropes) {
    const RopeUse* use = use_of(config, rope.layers);
    if (!use) continue;
    if (rope.type == "dynamic" && use->alpha == 0) unscale(*use, rope);
    if (rope.type != "yarn") continue;
    take_yarn(config, *use, rope);
    divide_by_mscale(config, rope);
  }
  if (has_no_exaone_windows(config))
    for (auto& kind : reading.layers) {
      kind.window = 0;
      kind.rope = true;
    }
  if (!drops_windows(config.report.model_type)) return reading;
  for (auto& kind : reading.layers)
    if (kind.window < reading.longest) kind.window = 0;
  return reading;
}

ConfigReading read_as_yarn_paper(const ReadConfig& config) {
  ConfigReading reading = reading_of("YaRN paper", config.report);
  for (std::size_t i = 0; i < reading.ropes.size(); ++i) {
    RopeScaling paper = config.report.ropes[i].scaling;
    if (paper.rope_type != "yarn" || paper.beta_fast <= paper.beta_slow) continue;
    paper.yarn_ramp = YarnRamp::rotation_count;
    take_frequencies(paper, reading.ropes[i]);
  }
  return reading;
}

}  // namespace vqscope
