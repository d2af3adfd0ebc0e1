// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/codebook/quantiser.h"
#include "core/attention/forms/attention_input.h"
#include "core/base/result.h"
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

/// VQ attention in linear time. Blocks of queries are processed in waves: for each wave, quantise
/// its keys, continue the cache through its blocks, then compute all blocks in parallel. A wave is
/// a few blocks per thread, so that memory does not grow with T; one block for input_scan; the
/// whole sequence for the reductions that need all blocks. The order of computation does not depend
/// on the number of threads. Does not apply the gate. out [heads, T, d_v] must be 0 before;
/// shortcodes are [kv heads, T]. After a stop both are incomplete.
void linear_attention(const AttentionInput& input, const AttentionOptions& options, const AttentionKernels& kernels,
                      const Work& work, std::int32_t* shortcodes, float* out);

/// Quantises some keys of a head, on all workers.
void quantise_keys(const AttentionInput& input, Index kv_head, Range keys, const Quantiser& quantiser, int threads,
                   const Work& work, std::int32_t* shortcodes);

/// The quantiser for the keys of a head.
Quantiser quantiser_of(const AttentionInput& input, Index kv_head, const AttentionKernels& kernels);

/// The weight φ(score) of a key that is visible (Transformer-VQ, theorems 3.4 and 3.6): e^score or
/// max(score, 0)². Not for WeightFunction::softmax, which takes a whole row.
float elementwise_weight(WeightFunction function, float score);

/// φ(Q Kᵀ + B) V with options.weights as φ. Hidden keys weigh nothing. The forms are those of
/// attention(): exact, the same with codewords, and in linear time from sums of values by code:
/// theorem 3.6, without the causal mask theorem 3.4. `keys` replace input.k; `codes` [kv heads, T]
/// are those of the VQ forms. Does not apply the gate. out [heads, T, d_v] must be 0 before; after
/// a stop it is incomplete.
void elementwise_attention(const AttentionInput& input, const TensorView& keys, const AttentionOptions& options,
                           std::span<const std::int32_t> codes, const Work& work, float* out);

/// Refuses what attention() refuses, except for single numbers; cheap.
Result<void> check_attention(const AttentionInput& input, const AttentionOptions& options);

/// Refuses NaN and infinities; keys and values of keys that are not valid may be anything.
Result<void> check_finite(const AttentionInput& input, const AttentionOptions& options);

}  // namespace vqscope
