// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/relative/distance_table.h"
#include "core/relative/relative_function.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace vqscope {

/// The weights p(r) ∝ e^(b(r)) of keys r behind the last of T queries without content, for T up to
/// a longest. Sums are those of the definition to 1e-8.
class BiasPrior {
 public:
  /// `bias` of relative positions; it must have a value at every r below `longest`.
  BiasPrior(const RelativeFunction& bias, Index longest, const std::stop_token& stop);

  /// Share of the keys from distance `first` on, of `length`.
  double tail(Index first, Index length) const;
  /// Smallest w for which the keys nearer than w have at least `fraction`.
  Index window(double fraction, Index length) const;
  /// -Σ p ln p, in nats; ln T for no bias.
  double entropy(Index length) const;

 private:
  struct Sums {
    double weight = 0;
    double weighted = 0;  ///< of (b - highest) e^(b - highest)
  };
  Sums below(Index length) const;
  Sums segment(Index first, Index end) const;
  double segment_weight(Index first, Index end) const;

  RelativeFunction m_weight;
  RelativeFunction m_weighted;
  std::shared_ptr<const DistanceTable> m_weight_table;
  std::shared_ptr<const DistanceTable> m_weighted_table;
  std::vector<Index> m_begins;  ///< of segments, 0 first, longest last
  std::vector<Sums> m_below;    ///< up to each
};

}  // namespace vqscope
