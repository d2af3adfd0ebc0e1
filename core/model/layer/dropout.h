// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>

namespace vqscope {

/// Dropout of one training step. A function of only the seed, the step and the place, so that it
/// does not depend on the number of threads and is the same forward and backward.
struct TrainingNoise {
  std::uint64_t seed = 0;
  Index step = 0;
  double dropout = 0;    ///< fraction of branches and embeddings set to 0 (Srivastava et al. 2014)
  double layerdrop = 0;  ///< fraction of layers left out (Fan et al. 2020); evaluation keeps all, unscaled

  /// Whether the step leaves the layer out.
  bool drops_layer(Index layer) const;
};

/// Where numbers are dropped: the token embeddings, and what a layer's two halves add to the
/// residual stream.
struct DropoutPlace {
  enum class Branch : std::uint8_t { embedding, attention, mlp };
  Index layer = 0;
  Branch branch = Branch::embedding;
};

/// Dropout over [tokens, width] from token `first` of the batch on: a number is kept with
/// probability 1 - p and then divided by 1 - p. The result is added to `out` or replaces it.
template <class Real>
void add_kept(const TrainingNoise& noise, const DropoutPlace& place, Index first, Index tokens, Index width,
              const Real* in, Real* out);
template <class Real>
void replace_by_kept(const TrainingNoise& noise, const DropoutPlace& place, Index first, Index tokens, Index width,
                     const Real* in, Real* out);

}  // namespace vqscope
