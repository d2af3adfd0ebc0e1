// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"

#include <span>
#include <vector>

namespace vqscope {

/// How a token is chosen.
struct SamplerOptions {
  double temperature =
      0;             ///< 0: the token with the largest logit, the lowest of several; else logits are divided by it
  double top_p = 1;  ///< nucleus (Holtzman et al. 2020): the fewest tokens whose probabilities sum to it
};

/// Probabilities that tokens are chosen with, [vocab]: of finite logits.
std::vector<double> token_probabilities(std::span<const double> logits, const SamplerOptions& options);

/// One token; takes one number of `random`, also where it is not asked for.
std::int32_t sample_token(std::span<const double> logits, const SamplerOptions& options, SeededRandom& random);

}  // namespace vqscope
