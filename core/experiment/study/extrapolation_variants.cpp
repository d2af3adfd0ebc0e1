// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/study/variant_study.h"

#include "core/experiment/study/vq_variants.h"
#include "core/model/position/relative_bias.h"

#include <algorithm>

namespace vqscope {
namespace {

using Values = ParameterValues;
using Config = TransformerConfig;

template <PositionKind pos>
void positions(const Values&, Config& config) {
  config.pos = pos;
}

void rope_t5_bias(const Values&, Config& config) {
  config.pos = PositionKind::rope;
  config.bias = PositionKind::t5_bias;
}

void rope_vectors(const Values&, Config& config) {
  config.pos = PositionKind::rope;
  config.qk_bias = true;
}

void rope_kerple_log(const Values&, Config& config) {
  config.pos = PositionKind::rope;
  config.bias = PositionKind::relative_bias;
  config.relative_bias = "kerple_log";
}

/// `all` with one for each bias that a model can add, before T5's.
std::vector<ExtrapolationVariant> with_relative_biases(std::vector<ExtrapolationVariant> all) {
  const auto place = std::ranges::find(all, "t5_bias", &ExtrapolationVariant::id) - all.begin();
  std::vector<ExtrapolationVariant> biases;
  for (const Choice& bias : relative_bias_choices())
    biases.push_back({bias.id, bias.help, bias.help, bias.id, [id = bias.id](const Values&, Config& config) {
                        config.pos = PositionKind::relative_bias;
                        config.relative_bias = id;
                      }});
  all.insert(all.begin() + place, biases.begin(), biases.end());
  return all;
}

void fire(const Values& values, Config& config) {
  config.pos = PositionKind::fire;
  config.fire_threshold = values.real("fire_threshold");
}

void window(const Values& values, Config& config) {
  config.pos = PositionKind::rope;
  config.attn = AttentionKind::window;
  config.window = values.integer("train_window");
}

void mask(const Values& values, Config& config) {
  config.pos = PositionKind::rope;
  config.attn = AttentionKind::mask;
  config.mask = values.text("train_mask");
}

void transformer_xl(const Values& values, Config& config) {
  config.pos = PositionKind::xl;
  config.attn = AttentionKind::xl;
  config.segment = values.integer("xl_segment");
  config.memory = values.integer("xl_memory");
}

template <AttentionKind kind>
void recalling(const Values& values, Config& config) {
  config.pos = PositionKind::rope;
  config.attn = kind;
  config.segment = values.integer("memory_segment");
  config.top_k = values.integer("memory_top_k");
}

template <char scaling>
void scale(const Values& values, double multiple, Config& config) {
  config.rope_scaling = scaling == 'l' ? "linear" : scaling == 'n' ? "ntk" : "yarn";
  config.rope_factor = multiple;
  config.original_max_position = values.integer("train_length");
  config.yarn_beta_fast = values.real("yarn_beta_fast");
}

void rerope(const Values& values, double, Config& config) { config.rerope_window = values.integer("rerope_window"); }

void test_window(const Values& values, double, Config& config) {
  config.attn = AttentionKind::window;
  config.window = values.integer("test_window");
}

std::vector<ExtrapolationVariant> unquantised_variants() {
  return with_relative_biases(
      {{"rope", "RoPE", "RoPE, base 10000", "rope", positions<PositionKind::rope>},
       {"rope_linear", "PI", "RoPE, positions divided by the multiple at test (PI)", "rope",
        positions<PositionKind::rope>, scale<'l'>},
       {"rope_ntk", "NTK", "RoPE, base raised by the multiple at test (NTK)", "rope", positions<PositionKind::rope>,
        scale<'n'>},
       {"rope_yarn", "YaRN", "RoPE, YaRN with the multiple at test", "rope", positions<PositionKind::rope>, scale<'y'>},
       {"rope_rerope", "ReRoPE", "RoPE, distances beyond rerope_window treated as equal at test (ReRoPE)", "rope",
        positions<PositionKind::rope>, rerope},
       {"rope_test_window", "a window at test", "RoPE, a window of test_window keys at test", "rope",
        positions<PositionKind::rope>, test_window},
       {"rope_random", "RoPE at random positions",
        "RoPE, sorted random positions below the longest length (Ruoss et al. 2023)", "rope_random",
        positions<PositionKind::rope>, nullptr, true},
       {"xpos", "xPos", "xPos, gamma 0.4, scale base 512", "xpos", positions<PositionKind::xpos>},
       {"t5_bias", "T5's bias", "T5 bias, 32 buckets up to distance 128", "t5_bias", positions<PositionKind::t5_bias>},
       {"fire", "FIRE", "FIRE, a network of distance and position, width 32", "fire", fire},
       {"rope_t5_bias", "RoPE with T5's bias", "RoPE and the T5 bias together", "rope_t5_bias", rope_t5_bias},
       {"rope_kerple_log", "RoPE with KERPLE", "RoPE and KERPLE together", "rope_kerple_log", rope_kerple_log},
       {"rope_vectors", "RoPE with a and b", "RoPE, learnt vectors a and b added to queries and keys (Su 2023)",
        "rope_vectors", rope_vectors},
       {"transformer_xl", "Transformer-XL without memory", "Transformer-XL's relative positions, without its memory",
        "transformer_xl", positions<PositionKind::xl>},
       {"transformer_xl_memory", "Transformer-XL",
        "Transformer-XL: segments of xl_segment tokens with a memory of xl_memory", "transformer_xl_memory",
        transformer_xl},
       {"memorizing", "Memorizing", "RoPE within segments, and memory_top_k retrieved keys in the last layer",
        "memorizing", recalling<AttentionKind::memorizing>},
       {"infini_linear", "Infini (linear)",
        "RoPE within segments, and a compressive memory (Infini-attention), linear rule", "infini_linear",
        recalling<AttentionKind::infini_linear>},
       {"infini_delta", "Infini (delta)", "Infini-attention, delta rule", "infini_delta",
        recalling<AttentionKind::infini_delta>},
       {"sinusoidal", "sinusoids", "sinusoids added to the embeddings", "sinusoidal",
        positions<PositionKind::sinusoidal>},
       {"learned", "learnt positions", "a learnt table: rows beyond the training length are never trained", "learned",
        positions<PositionKind::learned>},
       {"nope", "NoPE", "no position encoding", "nope", positions<PositionKind::nope>},
       {"window", "a window", "RoPE, trained and tested with a window of train_window keys", "window", window},
       {"mask", "a mask", "RoPE, trained and tested with a mask of your own, train_mask", "mask", mask}});
}

std::vector<Choice> choices() {
  std::vector<Choice> all;
  for (const auto& variant : extrapolation_variants())
    if (variant.listed) all.push_back({variant.id, variant.help});
  return all;
}

ParameterSpec variant_size(const char* name, const char* help, Index default_value,
                           const std::vector<std::string>& of) {
  return make_parameter(
      name, "Models", help,
      {.default_value = default_value, .minimum = 1, .maximum = 1024, .unit = "tokens", .relevant = {{"models", of}}});
}

}  // namespace

std::span<const ExtrapolationVariant> extrapolation_variants() {
  static const std::vector<ExtrapolationVariant> all = [] {
    std::vector<ExtrapolationVariant> variants = unquantised_variants();
    for (ExtrapolationVariant& variant : vq_variants(variants)) variants.push_back(std::move(variant));
    return variants;
  }();
  return all;
}

std::string variant_name(const std::string& id) {
  const auto variants = extrapolation_variants();
  const auto known = std::ranges::find(variants, id, &ExtrapolationVariant::id);
  return known == variants.end() ? id : known->name;
}

std::vector<ParameterSpec> variant_parameters() {
  std::vector<std::string> quantised;
  for (const auto& variant : extrapolation_variants())
    if (variant.quantises() && variant.listed) quantised.push_back(variant.id);
  const std::vector<std::string> recalls{"memorizing", "infini_linear", "infini_delta"};
  ParameterSpec xl_memory =
      variant_size("xl_memory", "Number of tokens before the segment that each layer of Transformer-XL keeps.", 32,
                   {"transformer_xl_memory"});
  xl_memory.minimum = 0;
  return {
      {.name = "models",
       .label = "Models",
       .group = "Models",
       .help = "Models to train and compare. Models that differ only at test time share a training.",
       .kind = ParameterKind::choice_set,
       .default_value = std::vector<std::string>{"rope", "alibi", "kerple_log", "sandwich", "t5_bias", "sinusoidal",
                                                 "nope", "vq_xl"},
       .choices = choices()},
      variant_size("rerope_window", "Distance from which ReRoPE treats all distances as equal.", 32, {"rope_rerope"}),
      variant_size("test_window", "Number of keys that a query sees at test, including its own.", 64,
                   {"rope_test_window"}),
      variant_size("train_window", "Number of keys that a query sees, including its own.", 32, {"window"}),
      variant_size("xl_segment", "Number of tokens in a segment of Transformer-XL.", 32, {"transformer_xl_memory"}),
      std::move(xl_memory),
      variant_size("memory_segment", "Number of tokens in a segment of models that recall earlier segments.", 16,
                   recalls),
      make_parameter(
          "memory_top_k", "Models", "Number of keys that a query of a Memorizing Transformer retrieves.",
          {.default_value = Index{8}, .minimum = 1, .maximum = 1024, .relevant = {{"models", {"memorizing"}}}}),
      make_parameter("train_mask", "Models", "Text in the mask language without free names, for the model mask.",
                     {.kind = ParameterKind::text,
                      .default_value = std::string("kv_idx < 4 or q_idx - kv_idx < 28"),
                      .relevant = {{"models", {"mask"}}},
                      .in_summary = InSummary::never,
                      .text_form = TextForm::mask}),
      make_parameter("fire_threshold", "Models",
                     "FIRE: position up to which distances have the same scale, before training changes it.",
                     {.default_value = 16.0,
                      .minimum = 1,
                      .maximum = 1048576,
                      .unit = "tokens",
                      .relevant = {{"models", {"fire", "vq_fire"}}}}),
      make_parameter("yarn_beta_fast", "Models",
                     "YaRN: pairs with more turns than this in the training length stay unscaled; 32 suits long ones.",
                     {.default_value = 4.0,
                      .minimum = 1.5,
                      .maximum = 1024,
                      .relevant = {{"models", {"rope_yarn", "vq_rope_yarn"}}}}),
      make_parameter("model_n_code", "Models", "Codebook size of each head of VQ attention.",
                     {.default_value = Index{32}, .minimum = 1, .maximum = 512, .relevant = {{"models", quantised}}}),
      variant_size("model_block_len", "Number of tokens in a block of VQ attention; the largest distance with a bias.",
                   16, quantised),
      vq_cache_parameter(quantised)};
}

std::vector<ExtrapolationVariant> chosen_variants(const ParameterValues& values) {
  const auto has = [&](const char* name, const std::string& id) {
    return std::ranges::count(values.choices(name), id) > 0;
  };
  std::vector<ExtrapolationVariant> chosen;
  for (const auto& variant : extrapolation_variants()) {
    const bool with_its_cache = !variant.quantises() || has("vq_cache", variant.cache);
    const bool named = has("models", variant.id) && (with_its_cache || !variant.model.empty());
    if (named || (with_its_cache && has("models", variant.model))) chosen.push_back(variant);
  }
  return chosen;
}

}  // namespace vqscope
