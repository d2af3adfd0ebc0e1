// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>

namespace vqscope {

/// Sums of R(s) = Σ e^(s_n) (e^(s_n) − e^(s_(n+1))) / (Σ e^(s_n))², n = 0, 1, ... (Sun et al. 2023, section 2.1), where
/// s_n is the score of the key n tokens back. Scores may be any numbers: weights are kept relative to the highest yet.
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

}  // namespace vqscope
