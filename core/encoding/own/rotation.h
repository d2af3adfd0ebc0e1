// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/phase/turns.h"
#include "core/encoding/rope/pair_layout.h"
#include "core/encoding/rope/rope_scaling.h"

#include <span>
#include <vector>

namespace vqscope {

/// RoPE as applied to a vector: R(m) x = x ⊙ cos(m θ) + rot(x) ⊙ sin(m θ), where rot turns each pair by a quarter. What
/// is in no pair stays. A vector of odd size gets a zero at its end.
class Rotation {
 public:
  /// The scaling has passed its check(): its sizes are even.
  Rotation(const RopeScaling& scaling, PairLayout layout);

  /// Size of vectors after rotation.
  Index size() const { return m_size; }

  /// Writes size() numbers. `x` is at most one shorter.
  void apply(std::span<const double> x, Index position, std::span<double> out) const;

  /// cos and sin of a pair at a position, times the attention factor.
  std::pair<double, double> cos_sin(Index pair, Index position) const;

 private:
  Index m_size, m_pairs;
  PairLayout m_layout;
  double m_factor;
  bool m_is_exact;
  std::vector<Turns> m_rates;
  std::vector<float> m_inv_freq;  ///< of hf_float32
};

/// An odd head is rotated with a dummy coordinate at its end.
inline Index even_size(Index dims) { return dims + dims % 2; }

double dot(std::span<const double> a, std::span<const double> b);

}  // namespace vqscope
