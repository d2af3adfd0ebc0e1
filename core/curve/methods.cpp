// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/methods.h"

#include "core/curve/beta_ary_digit.h"
#include "core/curve/reach/attention_odds.h"
#include "core/curve/reach/attention_resolution.h"
#include "core/curve/reach/bias_prior.h"
#include "core/curve/reach/entropy_growth.h"
#include "core/curve/reach/published_perplexity.h"
#include "core/curve/reach/published_quality.h"
#include "core/curve/reach/receptive_window.h"
#include "core/curve/rope/base_bound.h"
#include "core/curve/rope/critical_dimension.h"
#include "core/curve/rope/interpolation_bound.h"
#include "core/curve/rope/pair_permutation.h"
#include "core/curve/rope/rope_bound.h"
#include "core/curve/rope/rope_curves.h"
#include "core/curve/rope/rope_error_curves.h"
#include "core/encoding/own/key_bias.h"
#include "core/encoding/own/permutation.h"
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
  static const std::vector<Method> all = make_methods(makers);
  return all;
}

}  // namespace vqscope
