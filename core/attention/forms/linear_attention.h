// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/codebook/quantiser.h"
#include "core/attention/forms/attention_input.h"

namespace vqscope {

/// VQ attention in linear time. Blocks of queries go through it in waves: the wave's keys are quantised, the cache is
/// carried on through the wave's blocks, and all of them are computed at once. A wave is a few blocks for each thread,
/// so that memory does not grow with T; one block for input_scan; everything for the reductions that need all blocks.
/// Every number is computed in the same order whatever the number of threads. The gate is left out.
/// out [heads, T, d_v] is 0 before, shortcodes [kv heads, T]; what they hold is not complete when work was stopped.
void linear_attention(const AttentionInput& input, const AttentionOptions& options, const AttentionKernels& kernels,
                      const Work& work, std::int32_t* shortcodes, float* out);

/// Quantises some keys of a head, on all workers.
void quantise_keys(const AttentionInput& input, Index kv_head, Range keys, const Quantiser& quantiser, int threads,
                   const Work& work, std::int32_t* shortcodes);

/// For the keys of a head.
Quantiser quantiser_of(const AttentionInput& input, Index kv_head, const AttentionKernels& kernels);

}  // namespace vqscope
