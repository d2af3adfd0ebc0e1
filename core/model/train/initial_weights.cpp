// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/train/initial_weights.h"

#include "core/base/random.h"
#include "core/model/position/relative_bias.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace vqscope {
namespace {

/// Values that are sampled between two checks of the stop.
constexpr std::size_t values_a_look = 65536;

/// FNV-1a, 64 bits.
std::uint64_t hash_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

using Sample = std::function<double(SeededRandom&)>;

Sample always(double value) {
  return [value](SeededRandom&) { return value; };
}
Sample normal(double deviation) {
  return [deviation](SeededRandom& random) { return deviation * random.normal(); };
}
Sample uniform(double least, double most) {
  return [=](SeededRandom& random) { return least + (most - least) * random.uniform(); };
}

Sample around(double most) {
  return [most](SeededRandom& random) { return most * (2 * random.uniform() - 1); };
}

/// How the numbers of a tensor are sampled.
Sample sample_of(const TransformerConfig& config, const ParameterTensor& tensor) {
  const std::string_view name = tensor.name;
  if (name.ends_with("norm.weight") || name.ends_with("codebook_count")) return always(1);
  if (name.ends_with("relative_attention_bias.weight") || name.ends_with("vq_bias")) return always(0);
  if (name.ends_with("q_proj.bias") || name.ends_with("k_proj.bias")) return always(0);
  if (name.ends_with("self_attn.gate") || name.ends_with("self_attn.u") || name.ends_with("self_attn.v"))
    return always(0);
  if (name.ends_with("fire.c")) return always(0.1);
  if (name.ends_with("fire.L_multiplier")) return always(1);
  if (name.find("fire.mlp.0.") != std::string_view::npos) return around(1);
  if (name.find("fire.mlp.2.") != std::string_view::npos)
    return around(std::pow(static_cast<double>(fire_width), -0.5));
  if (name.ends_with("embed_tokens.weight")) return normal(0.5);
  if (name.ends_with("position_embeddings.weight")) return normal(0.1);
  if (name.ends_with("lm_head.weight")) return normal(0.02);
  for (const LearntParameter& learnt : learnt_parameters(config))
    if (name.ends_with("." + learnt_tensor_name(*bias_method(config), learnt)))
      return uniform(learnt.initial_least, learnt.initial_most);
  if (name.ends_with("codebook_sum")) return normal(std::pow(static_cast<double>(config.head_dim), -0.25));
  const double fan_in = std::pow(static_cast<double>(tensor.shape.back()), -0.5);
  const bool to_residual = name.ends_with("o_proj.weight") || name.ends_with("down_proj.weight");
  return normal(to_residual ? fan_in / std::sqrt(2 * static_cast<double>(config.n_layers)) : fan_in);
}

}  // namespace

template <class Real>
Parameters<Real> initial_weights(const TransformerConfig& config, std::shared_ptr<const ParameterLayout> layout,
                                 std::uint64_t seed, const std::stop_token& stop) {
  auto parameters = zeros_of<Real>(std::move(layout));
  for (const ParameterTensor& tensor : parameters.layout->tensors) {
    SeededRandom random(SeededRandom(seed).bits() ^ hash_of(tensor.name));
    const Sample sample = sample_of(config, tensor);
    const auto values = parameters.tensor(tensor);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i % values_a_look == 0 && stop.stop_requested()) return parameters;
      values[i] = static_cast<Real>(sample(random));
    }
  }
  return parameters;
}

template <class Real>
void clamp_learnt_bias(const TransformerConfig& config, Parameters<Real>& parameters) {
  const auto learnt = learnt_parameters(config);
  for (const LayerOffsets& at : parameters.layout->layers)
    for (std::size_t i = 0; i < learnt.size(); ++i)
      for (Index head = 0; head < config.n_heads; ++head) {
        Real& value = *parameters.at(at.learnt_bias + static_cast<Index>(i) * config.n_heads + head);
        value = std::clamp(value, static_cast<Real>(learnt[i].least), static_cast<Real>(learnt[i].most));
      }
}

template Parameters<float> initial_weights(const TransformerConfig&, std::shared_ptr<const ParameterLayout>,
                                           std::uint64_t, const std::stop_token&);
template Parameters<double> initial_weights(const TransformerConfig&, std::shared_ptr<const ParameterLayout>,
                                            std::uint64_t, const std::stop_token&);
template void clamp_learnt_bias(const TransformerConfig&, Parameters<float>&);
template void clamp_learnt_bias(const TransformerConfig&, Parameters<double>&);

}  // namespace vqscope
