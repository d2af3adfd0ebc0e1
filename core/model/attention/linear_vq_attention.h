// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/attention/attention.h"

#include <cstdint>

namespace vqscope {

/// Attention to quantised keys in time and memory linear in the length (Transformer-VQ, Lingle 2023, section 3.3): a
/// query of block n takes the keys of blocks n - 1 and n one by one, and all earlier keys by their codes:
///
///   score of code s = q_i · C_s + ln count_s        its value = the mean of the values of the keys that have code s
///
/// count_s counts the keys of blocks 0 to n - 2 whose code is s; a code without keys takes no part. This equals
/// attention() over every key up to the query, with the bias 0 at distances above a block. A block is shape.block keys.
struct LinearVqShape {
  AttentionShape keys;  ///< as many heads of keys as of queries, scale 1, `columns` those below
  Index n_code = 1;

  Index blocks() const { return (keys.length - 1) / keys.block + 1; }
  Index near_keys() const { return 2 * keys.block; }
  /// Weights of one query: of the keys of two blocks, then of the codes.
  Index columns() const { return near_keys() + n_code; }
};

/// Of one sequence: arrays of tokens are [length, heads · head_dim].
template <class Real>
struct LinearVqOperands {
  const Real* q = nullptr;
  const Real* quantised = nullptr;  ///< each key's codeword
  const Real* v = nullptr;
  const Real* codebook = nullptr;       ///< [heads, n_code, head_dim]
  const std::int32_t* codes = nullptr;  ///< [heads, length]
  const Real* bias = nullptr;           ///< [heads, length] by distance; null: 0
};

/// Writes [length, heads · head_dim] to `context`. A query's weights are those of its block's keys, from the first on,
/// and from near_keys() on those of the codes.
template <class Real>
void linear_vq_attention(const LinearVqShape& shape, const LinearVqOperands<Real>& in,
                         const AttentionWeights<Real>& weights, Real* context);

/// Of kept weights. Gradients by keys pass straight through their codewords; codewords themselves have none.
/// `scratch` [block, columns].
template <class Real>
void linear_vq_backward(const LinearVqShape& shape, const LinearVqOperands<Real>& in, const Real* weights,
                        const Real* dcontext, const AttentionReach& reach, Real* scratch,
                        const AttentionGradient<Real>& d);

}  // namespace vqscope
