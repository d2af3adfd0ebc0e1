// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/methods.h"

#include "core/encoding/methods.h"
#include "core/method/method_list.h"

namespace vqscope {

std::span<const Method> curve_methods() {
  // One line a method; the order is that of every list.
  // clang-format off
  static constexpr MethodMaker makers[]{
      rope_score_method,
      rope_wavelength_method,
      rope_inv_freq_method,
      rope_phase_ood_method,
      bias_prior_method,
      attention_odds_method,
      key_bias_method,
      permutation_equivariance_method,
      rope_bound_method,
      base_bound_method,
      critical_dimension_method,
      interpolation_bound_method,
      entropy_growth_method,
      attention_resolution_method,
      beta_ary_digit_method,
      receptive_window_method,
      published_perplexity_method,
      published_quality_method,
      pair_permutation_method,
      rope_error_by_position_method,
      position_collisions_method,
  };
  // clang-format on
  static const std::vector<Method> all = make_methods(makers, "curves");
  return all;
}

}  // namespace vqscope
