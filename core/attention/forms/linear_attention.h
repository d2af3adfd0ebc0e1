// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/codebook/quantiser.h"
#include "core/attention/forms/attention_input.h"

namespace vqscope {

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

}  // namespace vqscope
