// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/rope/rope_formulas.h"

#include <algorithm>
#include <cassert>

namespace vqscope {

bool RopeType::reads(std::string_view parameter) const { return std::ranges::count(uses, parameter) > 0; }

std::span<const RopeType> rope_types() {
  static const std::vector<RopeType> all{
      {"default", "as trained", {}, default_rope<ExactNumbers>, default_rope<TorchNumbers>},
      {"linear",
       "position interpolation: every frequency divided by factor",
       {"factor"},
       linear_rope<ExactNumbers>,
       linear_rope<TorchNumbers>},
      {"ntk",
       "NTK-aware: rope_theta times factor^(d/(d-2)), so that fast pairs keep their frequency",
       {"factor"},
       ntk_rope<ExactNumbers>,
       ntk_rope<TorchNumbers>},
      {"dynamic_linear",
       "position interpolation by seq_len over the training length, once it is longer",
       {"seq_len"},
       dynamic_linear_rope<ExactNumbers>,
       dynamic_linear_rope<TorchNumbers>},
      {"dynamic",
       "dynamic NTK: rope_theta grows with seq_len, once it is beyond the training length",
       {"factor", "seq_len"},
       dynamic_rope<ExactNumbers>,
       dynamic_rope<TorchNumbers>},
      {"ntk_by_parts",
       "fast pairs are kept, slow ones interpolated, those between follow NTK: YaRN's first version",
       {"factor", "ntk_factor", "extrapolation_factor", "beta_0", "beta_1", "gamma_0", "gamma_1"},
       ntk_by_parts_rope<ExactNumbers>,
       ntk_by_parts_rope<TorchNumbers>},
      {"yarn",
       "pairs with many turns within the training length are kept, those with few interpolated, cos and sin scaled",
       {"factor", "beta_fast", "beta_slow", "truncate", "yarn_ramp", "attention_factor", "mscale", "mscale_all_dim"},
       yarn_rope<ExactNumbers>,
       yarn_rope<TorchNumbers>},
      {"longrope",
       "each pair divided by a number of its own, from one list up to the training length and another beyond it",
       {"factor", "seq_len", "short_factor", "long_factor", "attention_factor"},
       longrope_rope<ExactNumbers>,
       longrope_rope<TorchNumbers>},
      {"llama3",
       "Llama 3.1: short wavelengths are kept, long ones divided by factor, those between blended by their turns",
       {"factor", "low_freq_factor", "high_freq_factor"},
       llama3_rope<ExactNumbers>,
       llama3_rope<TorchNumbers>},
  };
  return all;
}

const RopeType& rope_type(std::string_view id) {
  const auto it = std::ranges::find(rope_types(), id, &RopeType::id);
  assert(it != rope_types().end());
  return *it;
}

RopeFrequencies rope_frequencies(const RopeScaling& scaling) {
  const RopeType& type = rope_type(scaling.rope_type);
  return scaling.precision == RopePrecision::exact ? type.exact(scaling) : type.hf_float32(scaling);
}

}  // namespace vqscope
