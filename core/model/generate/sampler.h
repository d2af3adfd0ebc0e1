// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"

#include <span>
#include <vector>

namespace vqscope {

/// How a token is chosen.
struct SamplerOptions {
  double temperature = 0;  ///< 0: the largest logit, the lowest id of a tie; else the divisor of the logits
  double top_p = 1;        ///< nucleus (Holtzman et al. 2020): the fewest tokens whose probabilities sum to it
};

/// Probabilities with which tokens are chosen, [vocab]. The logits must be finite.
std::vector<double> token_probabilities(std::span<const double> logits, const SamplerOptions& options);

/// Samples one token. Always takes one number of `random`, even where the choice is deterministic.
std::int32_t sample_token(std::span<const double> logits, const SamplerOptions& options, SeededRandom& random);

}  // namespace vqscope
