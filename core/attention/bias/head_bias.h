// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/bias/local_bias.h"
#include "core/attention/kernels/kernels.h"
#include "core/attention/workers.h"

namespace vqscope {

/// A LocalBias for one head, reversed so that the values along a row of keys are contiguous.
class HeadBias {
 public:
  HeadBias(const LocalBias& bias, Index head, Index d_k);

  bool none() const { return m_values.empty() && m_relative.empty() && m_beyond == 0; }
  float beyond() const { return m_beyond; }

  /// The scores that Transformer-XL's relative vectors add for some queries: [queries.rows, window
  /// + 1] in `room`, or null.
  const float* relative_scores(const StridedMatrix& queries, Scratch& scratch, const AttentionKernels& kernels) const;

  /// Adds the bias to the scores of the keys [keys.begin, query]. `relative` is the query's row of
  /// relative_scores, or null.
  void add(Index query, Range keys, const float* relative, const AttentionKernels& kernels, float* scores) const;

  Index row_size() const { return m_window + 1; }

 private:
  Index m_window = 0;
  Index m_d_k = 0;
  float m_beyond = 0;
  std::vector<float> m_values;    ///< at distances window, window - 1, ..., 0; empty: none
  std::vector<float> m_relative;  ///< [window + 1, d_k] in the same order; empty: none
  std::vector<float> m_offset;    ///< product of `offset` with m_relative, [window + 1]
};

}  // namespace vqscope
