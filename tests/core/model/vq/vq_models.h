// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"
#include "core/io/json/json_reader.h"
#include "core/model/config/transformer_json.h"
#include "core/model/train/initial_weights.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace vqscope::test {

inline constexpr Index vq_length = 41;

/// VQ attention with encodings of positions, as members of a config in JSON.
inline const std::vector<std::string> vq_encodings{R"("pos": "nope")",
                                                   R"("pos": "sinusoidal")",
                                                   R"("pos": "learned", "max_pos": 50)",
                                                   R"("pos": "vq")",
                                                   R"("pos": "alibi")",
                                                   R"("pos": "kerple_log")",
                                                   R"("pos": "t5_bias", "t5_buckets": 6, "t5_max_distance": 16)",
                                                   R"("pos": "sandwich", "sandwich_dim": 8)",
                                                   R"("pos": "fire", "fire_threshold": 9)",
                                                   R"("pos": "rope")",
                                                   R"("pos": "rope", "rope_scaling": "linear", "rope_factor": 4)",
                                                   R"("pos": "rope", "rope_scaling": "ntk", "rope_factor": 4)",
                                                   R"("pos": "rope", "rope_scaling": "yarn", "rope_factor": 4)",
                                                   R"("pos": "rope", "bias": "kerple_log")",
                                                   R"("pos": "rope", "bias": "fire", "fire_threshold": 9)",
                                                   R"("pos": "xpos", "xpos_scale_base": 32)",
                                                   R"("pos": "xpos", "xpos_scale_base": 32, "bias": "t5_bias")",
                                                   R"("pos": "xl")",
                                                   R"("pos": "xl", "xl_base": 100000)"};

inline TransformerConfig vq_model(const std::string& encoding, const std::string& heads, const std::string& more) {
  const std::string text =
      R"({"vocab": 11, "d_model": 12, "n_layers": 2, "attn": "vq", "n_code": 5, )" + encoding + heads + more + "}";
  return read_transformer_config(read_json(text).value()).value();
}

inline const std::array<std::string, 4> vq_heads{
    R"(, "n_heads": 4, "head_dim": 4, "d_ff": 7)", R"(, "n_heads": 4, "n_kv_heads": 2, "head_dim": 4, "d_ff": 7)",
    R"(, "n_heads": 4, "n_kv_heads": 1, "head_dim": 4, "d_ff": 7)", R"(, "layer_kind": "shga", "d_k": 4, "d_v": 6)"};

template <class Real>
Parameters<Real> vq_weights(const TransformerConfig& config, std::shared_ptr<const ParameterLayout> layout) {
  auto weights = initial_weights<Real>(config, layout, 5);
  SeededRandom random(6);  // those that begin at 0 matter too
  for (Real& value : weights.values) value += static_cast<Real>(0.3 * random.normal());
  clamp_learnt_bias(config, weights);
  return weights;
}

inline std::vector<std::int32_t> vq_tokens() {
  std::vector<std::int32_t> tokens;
  SeededRandom random(8);
  for (Index i = 0; i < 3 * vq_length; ++i) tokens.push_back(static_cast<std::int32_t>(random.bits() % 11));
  return tokens;
}

/// |a - b| / |b|, Euclidean.
template <class Real>
double apart(const std::vector<Real>& a, const std::vector<Real>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
    size += std::pow(static_cast<double>(b[i]), 2);
  }
  return std::sqrt(difference / size);
}

}  // namespace vqscope::test
