// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <span>

namespace vqscope {

/// `rope_score`: B(r) = Σ cos(r θ_i) against relative distance.
Method rope_score_method();

/// `rope_wavelength`: tokens a turn against pair.
Method rope_wavelength_method();

/// `rope_inv_freq`: radians a position and wavelength, by pair.
Method rope_inv_freq_method();

/// `rope_phase_ood`: phase_excess against length.
Method rope_phase_ood_method();

/// `bias_prior`: tail mass beyond the training length, 99 % window or entropy of the additive biases' priors, against
/// T.
Method bias_prior_method();

/// `attention_odds`: how many times more weight the nearer of two keys has than the farther one, from a bias and a
/// given difference of their scores.
Method attention_odds_method();

/// `rope_bound`: U(r) against relative distance.
Method rope_bound_method();

/// `base_bound`: the smallest rope_theta with B(r) >= 0 for all r < L, against L (Men et al. 2024).
Method base_bound_method();

/// `critical_dimension`: the formula, and the pairs counted, against the training length.
Method critical_dimension_method();

/// `interpolation_bound`: both against rope_theta.
Method interpolation_bound_method();

/// `entropy_growth`: entropy of softmax over T Gaussian logits against T, by formula and drawn, with and without
/// log_n_factor.
Method entropy_growth_method();

/// `attention_resolution`: R of the T nearest keys against T, for scores that an encoding alone decides.
Method attention_resolution_method();

/// `beta_ary_digit`: digits of positions in base β against position, and what linear scaling and the NTK base make of
/// them (Su, 2023).
Method beta_ary_digit_method();

/// `receptive_window`: tokens that can influence the last one against the number of layers.
Method receptive_window_method();

/// `published_perplexity`: tables of papers as they stand there, against length. Nothing is computed.
Method published_perplexity_method();

/// `published_quality`: tables 3 to 5 of Transformer-VQ by year of publication.
Method published_quality_method();

/// `pair_permutation`: where each dimension of a head goes when weights are converted between the two pair layouts of
/// RoPE, from half_split (Hugging Face, GPT-NeoX) to interleaved (Meta, GPT-J) and back. Dimensions beyond rotary_dim
/// stay.
Method pair_permutation_method();

/// `rope_error_by_position`: largest |angle_error| of any pair against position, by number type.
Method rope_error_by_position_method();

/// `position_collisions`: positions_sharing against position, by number type.
Method position_collisions_method();

/// The curves of encodings, against distance, pair, length or layers. Made once.
std::span<const Method> curve_methods();

}  // namespace vqscope
