// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cmath>
#include <limits>
#include <vector>

namespace vqscope {

/// A softmax that takes scores and their values one after another.
class RunningSoftmax {
 public:
  explicit RunningSoftmax(Index d_v) : m_out(static_cast<std::size_t>(d_v), 0) {}

  /// Adds `count` keys with the same score, whose values sum to `values`.
  template <class Real>
  void add(double score, double count, const Real* values) {
    if (score > m_max) {
      const double shrink = std::exp(m_max - score);
      for (double& each : m_out) each *= shrink;
      m_sum *= shrink;
      m_max = score;
    }
    if (score < m_max - negligible) return;
    const double weight = std::exp(score - m_max);
    m_sum += weight * count;
    for (std::size_t c = 0; c < m_out.size(); ++c) m_out[c] += weight * static_cast<double>(values[c]);
  }

  std::vector<double> output() {
    if (m_sum > 0)
      for (double& each : m_out) each /= m_sum;
    return std::move(m_out);
  }

 private:
  /// Below the largest score: weights of less than 1e-21 of it, whatever the number of keys.
  static constexpr double negligible = 49;

  double m_max = -std::numeric_limits<double>::infinity();
  double m_sum = 0;
  std::vector<double> m_out;
};

}  // namespace vqscope
