// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/tensor/streamed_tensor.h"
#include "core/mask/blocks/block_lists.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace vqscope {

/// The lists of all samples and heads, all of one size and of the same lengths.
struct BlockMasks {
  Index samples = 1;
  Index heads = 1;
  std::vector<std::shared_ptr<const BlockLists>> lists;  ///< [samples, heads]; equal masks share one
};

/// The arrays of BlockMask.from_kv_blocks: kv_num_blocks [B, H, R], kv_indices [B, H, R, C],
/// full_kv_…, q_…, full_q_…, ascending and 0 beyond the count; and block_size and lengths, of
/// queries and keys. C is the largest count of the array, or all blocks of the row if not `trim`.
/// `masks` must outlive them.
std::vector<StreamedTensor> block_tensors(const BlockMasks& masks, bool trim, const std::stop_token& stop = {});

/// Of all arrays; a double, because it may not fit 64 bits.
double block_tensors_bytes(const BlockMasks& masks, bool trim);

}  // namespace vqscope
