// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <span>

namespace vqscope {

// The help of each method describes what it shows.
Method rope_score_method();
Method rope_wavelength_method();
Method rope_inv_freq_method();
Method rope_phase_ood_method();
Method bias_prior_method();
Method attention_odds_method();
Method rope_bound_method();
Method base_bound_method();
Method critical_dimension_method();
Method interpolation_bound_method();
Method entropy_growth_method();
Method attention_resolution_method();
Method beta_ary_digit_method();
Method receptive_window_method();
Method published_perplexity_method();
Method published_quality_method();
Method pair_permutation_method();
Method rope_error_by_position_method();
Method position_collisions_method();

/// The curves of encodings, against distance, pair, length or layers. Made once.
std::span<const Method> curve_methods();

}  // namespace vqscope
