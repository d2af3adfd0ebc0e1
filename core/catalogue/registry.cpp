// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/registry.h"

#include "core/base/text.h"
#include "core/curve/beta_ary_digit.h"
#include "core/curve/reach/attention_resolution.h"
#include "core/curve/reach/bias_prior.h"
#include "core/curve/reach/entropy_growth.h"
#include "core/curve/reach/published_perplexity.h"
#include "core/curve/reach/receptive_window.h"
#include "core/curve/rope/base_bound.h"
#include "core/curve/rope/critical_dimension.h"
#include "core/curve/rope/interpolation_bound.h"
#include "core/curve/rope/pair_permutation.h"
#include "core/curve/rope/rope_bound.h"
#include "core/curve/rope/rope_curves.h"
#include "core/curve/rope/rope_error_curves.h"
#include "core/encoding/bias/alibi.h"
#include "core/encoding/bias/kerple.h"
#include "core/encoding/bias/nope.h"
#include "core/encoding/bias/sandwich.h"
#include "core/encoding/rope/rope_2d.h"
#include "core/encoding/rope/rope_methods.h"
#include "core/encoding/rope/rope_phase_error.h"
#include "core/encoding/rope/rope_score_field.h"
#include "core/encoding/score/randomized_positions.h"
#include "core/encoding/score/rerope_score.h"
#include "core/encoding/score/rope_with_bias.h"
#include "core/encoding/score/transformer_xl.h"
#include "core/encoding/score/xpos_score.h"
#include "core/encoding/t5/t5_bias.h"
#include "core/encoding/t5/t5_bucket.h"
#include "core/encoding/t5/t5_bucket_error.h"
#include "core/encoding/table/beta_ary.h"
#include "core/encoding/table/learned_absolute.h"
#include "core/encoding/table/sinusoidal.h"
#include "core/encoding/table/sinusoidal_similarity.h"
#include "core/encoding/table/xpos_scale.h"
#include "core/experiment/measure/vq_decode.h"
#include "core/experiment/measure/vq_table.h"
#include "core/experiment/measure/vq_throughput.h"
#include "core/experiment/vq_block_invariance.h"
#include "core/experiment/vq_cache.h"
#include "core/experiment/vq_cache_codes.h"
#include "core/experiment/vq_codebook_training.h"
#include "core/experiment/vq_error_curves.h"
#include "core/experiment/vq_extrapolation.h"
#include "core/experiment/vq_occupancy.h"
#include "core/experiment/vq_shortcodes.h"
#include "core/experiment/vq_theorem.h"
#include "core/experiment/vq_weights.h"
#include "core/mask/map/block_method.h"
#include "core/mask/map/visibility_method.h"

#include <algorithm>
#include <iterator>

namespace vqscope {
namespace {

using MethodMaker = Method (*)();

}  // namespace

std::span<const Method> methods() {
  // One line a method; the order is the order of every list.
  // clang-format off
  static constexpr MethodMaker makers[]{
      t5_bucket_method,
      t5_staircase_method,
      visibility_method,
      block_method,
      rope_phase_method,
      rope_cos_method,
      rope_sin_method,
      rope_score_method,
      rope_wavelength_method,
      rope_inv_freq_method,
      rope_phase_ood_method,
      t5_bias_method,
      alibi_method,
      kerple_log_method,
      kerple_power_method,
      sandwich_method,
      nope_method,
      bias_prior_method,
      rope_bound_method,
      base_bound_method,
      critical_dimension_method,
      interpolation_bound_method,
      entropy_growth_method,
      attention_resolution_method,
      beta_ary_digit_method,
      receptive_window_method,
      published_perplexity_method,
      rope_score_field_method,
      rope_with_bias_method,
      xpos_score_method,
      rerope_score_method,
      sinusoidal_similarity_method,
      sinusoidal_method,
      learned_absolute_method,
      xpos_scale_method,
      beta_ary_method,
      transformer_xl_score_method,
      randomized_positions_method,
      randomized_position_curve_method,
      rope_2d_score_method,
      rope_2d_phase_method,
      pair_permutation_method,
      rope_phase_error_method,
      t5_bucket_error_method,
      rope_error_by_position_method,
      position_collisions_method,
      t5_error_by_distance_method,
      vq_weights_method,
      vq_weight_error_method,
      vq_shortcodes_method,
      vq_cache_method,
      vq_codebook_training_method,
      vq_error_vs_codes_method,
      vq_error_vs_length_method,
      vq_error_by_token_method,
      vq_occupancy_method,
      vq_cache_codes_method,
      vq_theorem_2_2_method,
      vq_extrapolation_method,
      vq_throughput_method,
      vq_table_method,
      vq_decode_method,
      vq_block_invariance_method,
  };
  // clang-format on
  static const std::vector<Method> all = [] {
    std::vector<Method> made;
    made.reserve(std::size(makers));
    for (const auto make : makers) made.push_back(make());
    return made;
  }();
  return all;
}

const Method* find_method(std::string_view id) {
  const auto all = methods();
  const auto it = std::ranges::find(all, id, &Method::id);
  return it == all.end() ? nullptr : &*it;
}

Result<const Method*> require_method(std::string_view id) {
  if (const auto* method = find_method(id)) return method;
  std::vector<std::string> ids;
  for (const auto& method : methods()) ids.push_back(method.id);
  return Error{Errc::not_found,
               "unknown method " + shortened(id) + did_you_mean(id, ids) + " (vqscope list shows all)"};
}

}  // namespace vqscope
