// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cmath>
#include <vector>

namespace vqscope {

/// Σ e^(q·k) v / Σ e^(q·k) of one query, in double, without a maximum that is subtracted: the
/// definition of outputs whose fast paths are tested against it.
class SoftmaxDefinition {
 public:
  SoftmaxDefinition(const float* query, Index d_k, Index d_v)
      : m_query(query), m_d_k(d_k), m_out(static_cast<std::size_t>(d_v), 0) {}

  void add(const float* key, const float* value) {
    double score = 0;
    for (Index c = 0; c < m_d_k; ++c) score += static_cast<double>(m_query[c]) * static_cast<double>(key[c]);
    m_sum += std::exp(score);
    for (std::size_t c = 0; c < m_out.size(); ++c) m_out[c] += std::exp(score) * static_cast<double>(value[c]);
  }

  /// 0 if no key was added.
  std::vector<double> output() const {
    std::vector<double> out = m_out;
    if (m_sum > 0)
      for (double& each : out) each /= m_sum;
    return out;
  }

 private:
  const float* m_query;
  Index m_d_k;
  double m_sum = 0;
  std::vector<double> m_out;
};

}  // namespace vqscope
