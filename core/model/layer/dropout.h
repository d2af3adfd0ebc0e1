// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>

namespace vqscope {

/// What is left out of one training step, at random: a function of the seed, the step and the place alone, so that it
/// is the same whatever the number of threads, and backward as forward.
struct TrainingNoise {
  std::uint64_t seed = 0;
  Index step = 0;
  double dropout = 0;  ///< share of the numbers of a branch, and of the embeddings, that are 0 (Srivastava et al. 2014)
  double layerdrop = 0;  ///< share of the layers that are left out (Fan et al. 2020); at test all are there, unscaled

  /// Whether the step leaves the layer out.
  bool drops_layer(Index layer) const;
};

/// Where numbers are dropped: the token embeddings, and what a layer's two halves add to the residual stream.
struct DropoutPlace {
  enum class Branch : std::uint8_t { embedding, attention, mlp };
  Index layer = 0;
  Branch branch = Branch::embedding;
};

/// A number is kept with probability 1 - p and then divided by it. Of [tokens, width] from token `first` of the batch
/// on: what is kept of `in` is added to `out`, or replaces it.
template <class Real>
void add_kept(const TrainingNoise& noise, const DropoutPlace& place, Index first, Index tokens, Index width,
              const Real* in, Real* out);
template <class Real>
void replace_by_kept(const TrainingNoise& noise, const DropoutPlace& place, Index first, Index tokens, Index width,
                     const Real* in, Real* out);

}  // namespace vqscope
