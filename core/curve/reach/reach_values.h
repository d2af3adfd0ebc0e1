// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/relative/relative_function.h"
#include "core/relative/segment_sums.h"

#include <Eigen/Core>
#include <array>
#include <limits>
#include <memory>
#include <stop_token>
#include <vector>

namespace vqscope {

/// Sums of R(s) = Σ e^(s_n) (e^(s_n) − e^(s_(n+1))) / (Σ e^(s_n))², n = 0, 1, ... (Sun et al. 2023,
/// section 2.1), where s_n is the score of the key n tokens back. Scores may be any numbers:
/// weights are kept relative to the highest yet.
class ResolutionSums {
 public:
  /// The next n, with the score after it.
  void add(double score, double next);
  double resolution() const { return m_products / (m_weights * m_weights); }

 private:
  double m_highest = -std::numeric_limits<double>::infinity();
  double m_weights = 0;
  double m_products = 0;
};

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

/// max(1, ln n / ln trained): what logits over n keys are multiplied by to keep attention from
/// spreading (Su, 2021).
double log_n_factor(double n, Index trained);

/// Entropy of softmax(a · z) over many numbers z near 0 at any scale a: they are counted in bins of
/// 1/128, each with the first two moments within it, so that a scale costs a few operations a bin
/// however many numbers there are.
class BinnedEntropy {
 public:
  BinnedEntropy();

  /// Numbers beyond ±10 are taken for ±10.
  void add(double z);
  Index count() const { return m_count; }

  /// −Σ p ln p in nats, p ∝ e^(a z); 0 of nothing. Within 2e-5 of the definition for 0 <= a <= 8,
  /// and never below 0.
  double entropy(double a) const;

 private:
  Index m_count = 0;
  Index m_first;     ///< block that has any
  Index m_last = 0;  ///< the same
  std::array<Eigen::ArrayXXd, 3>
      m_moments;  ///< [bins of a block, blocks]: how many, Σ δ, Σ δ² / 2 about the middle of each bin
};

}  // namespace vqscope
