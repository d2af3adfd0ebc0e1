// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention_input.h"
#include "core/base/work.h"

namespace vqscope {

/// softmax(Q Kᵀ + B) V block by block with a running maximum, so that no T x T matrix is stored.
/// Blocks without a visible key are skipped unless options.skip_hidden is false. `keys` replace
/// input.k; quantised keys give the quadratic form. Does not apply the gate. out [heads, T, d_v]
/// must be 0 before; after a stop it is incomplete.
void full_attention(const AttentionInput& input, const TensorView& keys, const AttentionOptions& options,
                    const AttentionKernels& kernels, const Work& work, float* out);

/// Size of each worker's scratch buffer, in floats.
Index full_attention_room(const AttentionInput& input, const AttentionOptions& options);

}  // namespace vqscope
