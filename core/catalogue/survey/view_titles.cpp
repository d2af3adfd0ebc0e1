// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/survey/view_titles.h"

namespace vqscope {

std::span<const ViewTitle> view_titles() {
  static const std::vector<ViewTitle> all{
      {"t5_bucket", "Buckets", {"t5_bias"}},
      {"t5_bias_heads", "All heads", {"t5_bias"}},
      {"rope_cos", "cos"},
      {"rope_sin", "sin"},
      {"rope_2d_phase", "Phases", {"rope_2d_score"}},
      {"xpos_scale", "Scale", {"xpos_score"}},
      {"rope_score_field", "Score map"},
      {"rope_own_scores", "Scores of own q and k", {"rope_with_bias"}},
      {"sinusoidal_similarity", "Similarity", {"sinusoidal"}},
      {"sinusoidal_shift", "Shift matrix", {"sinusoidal"}},
      {"rope_score", "Score by distance"},
      {"t5_staircase", "Bucket by distance", {"t5_bias"}},
      {"fire_by_distance", "Bias by distance", {"fire"}},
      {"randomized_position_curve", "Sampled positions", {"randomized_positions"}},
      {"rope_wavelength", "Wavelengths"},
      {"rope_inv_freq", "Frequencies"},
      {"rope_phase_seen", "Seen in training"},
      {"rope_new_angles", "New angles by position"},
      {"rope_phase_ood", "Share of new angles"},
      {"mrope_phase", "Three axes: phases", {"rope_phase"}},
      {"mrope_positions", "Three axes: positions", {"rope_phase"}},
      {"bias_prior", "Prior"},
      {"attention_odds", "Odds of two keys"},
      {"permutation_equivariance", "Permuted tokens", {"nope"}},
      {"key_bias", "Bias of keys", {"rope_with_bias"}},
      {"receptive_window", "Reach by layers"},
      {"attention_resolution", "Attention resolution"},
      {"entropy_growth", "Entropy by length", {"nope", "rerope_score", "leaky"}},
      {"rope_bound", "Score bound"},
      {"interpolation_bound", "Interpolation bound", {"rope_phase", "linear"}},
      {"base_bound", "Smallest base", {"rope_phase"}},
      {"critical_dimension", "Critical dimension", {"rope_phase"}},
      {"beta_ary_digit", "Digits", {"beta_ary"}},
      {"pair_permutation", "Pair layouts", {"rope_phase"}},
      {"rope_phase_error", "Precision"},
      {"t5_bucket_error", "Precision", {"t5_bias"}},
      {"rope_error_by_position", "Precision by position"},
      {"t5_error_by_distance", "Precision by distance", {"t5_bias"}},
      {"position_collisions", "Positions that collide", {"rope_phase", "sinusoidal"}},
      {"published_perplexity", "Published perplexity", {"sinusoidal", "rope_phase", "t5_bias", "alibi"}},
      {"published_quality", "Published quality of Transformer-VQ", {"transformer_xl_score"}},
  };
  return all;
}

}  // namespace vqscope
