// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention_input.h"
#include "core/base/work.h"

namespace vqscope {

/// softmax(Q Kᵀ + B) V block by block with a running maximum, so that no T x T matrix is stored; blocks in which
/// nothing is visible are skipped unless options.skip_hidden is false. `keys` stand in the place of input.k: quantised
/// ones make it the quadratic form. The gate is left out. out [heads, T, d_v] is 0 before; what it holds is not
/// complete when work was stopped.
void full_attention(const AttentionInput& input, const TensorView& keys, const AttentionOptions& options,
                    const AttentionKernels& kernels, const Work& work, float* out);

/// Numbers that each worker keeps.
Index full_attention_room(const AttentionInput& input, const AttentionOptions& options);

}  // namespace vqscope
