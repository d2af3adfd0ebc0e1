// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention_input.h"
#include "core/base/work.h"

namespace vqscope {

/// The weight φ(score) of a key that is visible (Transformer-VQ, theorems 3.4 and 3.6): e^score or
/// max(score, 0)². Not for WeightFunction::softmax, which takes a whole row.
float elementwise_weight(WeightFunction function, float score);

/// φ(Q Kᵀ + B) V with options.weights as φ. Hidden keys weigh nothing. The forms are those of
/// attention(): exact, the same with codewords, and in linear time from sums of values by code:
/// theorem 3.6, without the causal mask theorem 3.4. `keys` replace input.k; `codes` [kv heads, T] are those of the VQ
/// forms. Does not apply the gate. out [heads, T, d_v] must be 0 before; after a stop it is incomplete.
void elementwise_attention(const AttentionInput& input, const TensorView& keys, const AttentionOptions& options,
                           std::span<const std::int32_t> codes, const Work& work, float* out);

}  // namespace vqscope
