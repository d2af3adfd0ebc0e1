// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"
#include "core/base/work.h"
#include "core/model/tensors/parameter_layout.h"

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

struct GenerationOptions {
  Index count = 64;  ///< new tokens
  SamplerOptions sampler;
  std::uint64_t seed = 0;
  bool cache = true;  ///< false: every token runs the model on the whole sequence
};

/// The prompt and the tokens that the model generates after it. Refuses an empty prompt, tokens
/// beyond the vocabulary, more tokens than a table of learned positions has, and logits that are
/// not finite.
template <class Real>
Result<std::vector<std::int32_t>> generate(const TransformerConfig& config, const Parameters<Real>& parameters,
                                           std::span<const std::int32_t> prompt, const GenerationOptions& options,
                                           const Work& work);

}  // namespace vqscope
