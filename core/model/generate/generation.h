// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/model/generate/sampler.h"
#include "core/model/tensors/parameters.h"

namespace vqscope {

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
