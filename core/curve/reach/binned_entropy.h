// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <Eigen/Core>

#include <array>

namespace vqscope {

/// Entropy of softmax(a · z) over many numbers z near 0 at any scale a: they are counted in bins of 1/128, each with
/// the first two moments within it, so that a scale costs a few operations a bin however many numbers there are.
class BinnedEntropy {
 public:
  BinnedEntropy();

  /// Numbers beyond ±10 are taken for ±10.
  void add(double z);
  Index count() const { return m_count; }

  /// −Σ p ln p in nats, p ∝ e^(a z); 0 of nothing. Within 2e-5 of the definition for 0 <= a <= 8, and never below 0.
  double entropy(double a) const;

 private:
  Index m_count = 0;
  Index m_first;     ///< block that has any
  Index m_last = 0;  ///< the same
  std::array<Eigen::ArrayXXd, 3>
      m_moments;  ///< [bins of a block, blocks]: how many, Σ δ, Σ δ² / 2 about the middle of each bin
};

}  // namespace vqscope
