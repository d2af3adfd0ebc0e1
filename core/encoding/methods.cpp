// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include <algorithm>

namespace vqscope {

namespace {

// One line a method; the order is that of every list.
// clang-format off
constexpr MethodMaker before_biases[]{
    t5_bucket_method,
    t5_staircase_method,
    rope_phase_method,
    rope_cos_method,
    rope_sin_method,
    rope_phase_seen_method,
    rope_new_angles_method,
};

constexpr MethodMaker after_biases[]{
    t5_bias_heads_method,
    fire_method,  // by the query's position too, so none of bias_makers()
    fire_by_distance_method,
    rope_score_field_method,
    rope_own_scores_method,
    bias_own_scores_method,
    rope_with_bias_method,
    xpos_score_method,
    rerope_score_method,
    sinusoidal_similarity_method,
    sinusoidal_method,
    sinusoidal_shift_method,
    learned_absolute_method,
    xpos_scale_method,
    beta_ary_method,
    transformer_xl_score_method,
    randomized_positions_method,
    randomized_position_curve_method,
    rope_2d_score_method,
    rope_2d_phase_method,
    mrope_phase_method,
    mrope_positions_method,
    rope_phase_error_method,
    t5_bucket_error_method,
    t5_error_by_distance_method,
};
// clang-format on

}  // namespace

std::span<const Method> encoding_methods() {
  static const std::vector<Method> all = [] {
    std::vector<MethodMaker> makers;
    for (const std::span<const MethodMaker> some :
         {std::span<const MethodMaker>(before_biases), bias_makers(), std::span<const MethodMaker>(after_biases)})
      makers.insert(makers.end(), some.begin(), some.end());
    return make_methods(makers);
  }();
  return all;
}

const std::vector<const Method*>& bias_methods() {
  static const std::vector<const Method*> all = [] {
    std::vector<const Method*> biases;
    for (const auto& method : encoding_methods())
      if (method.bias) biases.push_back(&method);
    std::stable_partition(biases.begin(), biases.end(), [](const Method* method) { return method->bias->zero; });
    return biases;
  }();
  return all;
}

const Method* find_bias(std::string_view id) {
  const auto found = std::ranges::find(bias_methods(), id, &Method::id);
  return found == bias_methods().end() ? nullptr : *found;
}

}  // namespace vqscope
