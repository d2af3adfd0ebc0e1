// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/kernels/kernels.h"
#include "core/attention/workers.h"
#include "core/base/index.h"
#include "core/base/result.h"
#include "core/relative/relative_function.h"

#include <cmath>
#include <limits>
#include <stop_token>
#include <vector>

namespace vqscope {

/// Bias added to the score of query i and key j before the softmax, by distance i - j: one value
/// per distance up to `window`, and a single value beyond. Array sizes give the number of heads: as
/// many as q has, or one for all.
struct LocalBias {
  Index window = 0;           ///< the last distance with a value of its own
  std::vector<float> values;  ///< [heads, window + 1]; empty: 0
  std::vector<float> beyond;  ///< [heads], -infinity hides farther keys; empty: 0
  /// Transformer-XL also adds (q_i + offset) · relative[i - j] within the window, and nothing
  /// beyond. For its other term, (q_i + u) · k_j, add u to q beforehand and v - u to `offset`.
  std::vector<float> relative;  ///< [heads, window + 1, d_k]; empty: none
  std::vector<float> offset;    ///< [heads, d_k]; empty: 0
  /// Logits of a learned sink, a term of the softmax that has no value and no distance: [heads];
  /// empty: none.
  std::vector<float> sinks = {};

  /// By distance.
  bool none() const { return values.empty() && beyond.empty() && relative.empty(); }
};

/// The bias of one head: its values at distances up to `window`, and beyond it the value at window
/// + 1. `window` = length - 1 keeps the whole bias for the exact and the quadratic form. After a
/// stop the results of this and the following functions are undefined.
LocalBias local_bias(const RelativeFunction& bias, Index window, const std::stop_token& stop = {});

/// The same, clipped: beyond the window the bias has the value of the window's last distance.
LocalBias clipped_bias(const RelativeFunction& bias, Index window, const std::stop_token& stop = {});

/// Whether B is constant beyond a window, as the linear form requires (Transformer-VQ, theorems 3.6
/// and 3.7; any constant will do).
struct WindowCheck {
  bool constant = true;
  Index first = 0;       ///< the first distance beyond the window whose value differs from that of window + 1
  double largest = 0;    ///< spread of the values beyond the window; infinity if some of them are NaN
  std::string sentence;  ///< for the user: that B is constant, or where and by how much it is not
};

/// Evaluates every distance up to length - 1.
WindowCheck check_window(const RelativeFunction& bias, Index window, Index length, const std::stop_token& stop = {});

/// A LocalBias for one head, reversed so that the values along a row of keys are contiguous.
class HeadBias {
 public:
  HeadBias(const LocalBias& bias, Index head, Index d_k);

  bool none() const { return m_values.empty() && m_relative.empty() && m_beyond == 0; }
  float beyond() const { return m_beyond; }
  /// -infinity: none.
  float sink() const { return m_sink; }
  /// The divisor of e^(score - max), whose sum over the keys is `sum`: with the sink, whose term
  /// leaves the range of float32 only where the keys' weights are 0.
  float denominator(float max, float sum) const { return std::isinf(m_sink) ? sum : sum + std::exp(m_sink - max); }

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
  float m_sink = -std::numeric_limits<float>::infinity();
  std::vector<float> m_values;    ///< at distances window, window - 1, ..., 0; empty: none
  std::vector<float> m_relative;  ///< [window + 1, d_k] in the same order; empty: none
  std::vector<float> m_offset;    ///< product of `offset` with m_relative, [window + 1]
};

}  // namespace vqscope
