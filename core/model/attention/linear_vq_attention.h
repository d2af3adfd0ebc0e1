// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/attention/attention.h"
#include "core/model/attention/linear_vq_shape.h"

namespace vqscope {

/// Attention to quantised keys in time and memory linear in the length (Transformer-VQ, Lingle
/// 2023, section 3.3). A query of block n takes the keys of blocks n - 1 and n one by one, and all
/// earlier keys grouped by code:
///
///   score of code s = q_i · C_s + ln count_s        its value = the mean of the values of the keys that have code s
///
/// count_s counts the keys of blocks 0 to n - 2 whose code is s; codes without keys are left out.
/// The result equals attention() over every key up to the query with bias 0 at distances above a
/// block.
///
/// Writes [length, heads · value_size] to `context`. A query's weights are first those of its near
/// keys, then, from near_keys() on, those of the codes.
template <class Real>
void linear_vq_attention(const LinearVqShape& shape, const LinearVqOperands<Real>& in,
                         const AttentionWeights<Real>& weights, Real* context);

/// Requires kept weights. Gradients by codewords pass straight through to the keys; codewords have
/// no gradient of their own. `scratch` is [block, columns].
template <class Real>
void linear_vq_backward(const LinearVqShape& shape, const LinearVqOperands<Real>& in, const Real* weights,
                        const Real* dcontext, const AttentionReach& reach, Real* scratch,
                        const AttentionGradient<Real>& d);

}  // namespace vqscope
