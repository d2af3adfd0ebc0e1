// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/import/imported_mask.h"
#include "core/mask/map/block_view.h"

namespace vqscope {

/// The blocks that a block-sparse kernel visits, as FlexAttention's BlockMask has them: for each
/// block of queries the blocks of keys, and the other way round. A block is full if all its block
/// size is visible, so blocks cut by a length are partial.
struct BlockLists {
  BlockSize size;
  Extent lengths;        ///< queries, keys
  ImportedRuns kv;       ///< of each block of queries: its partial blocks of keys
  ImportedRuns full_kv;  ///< and its full ones
  ImportedRuns q;        ///< of each block of keys: its partial blocks of queries
  ImportedRuns full_q;

  friend bool operator==(const BlockLists& a, const BlockLists& b) {
    return a.lengths == b.lengths && a.kv == b.kv && a.full_kv == b.full_kv && a.q == b.q && a.full_q == b.full_q;
  }
};

/// Exact. Costs the intervals of the mask in blocks, not all blocks. Errc::cancelled once a stop is
/// requested; Errc::too_large where it takes too long or too much memory.
Result<BlockLists> make_block_lists(const BlockView& view, const BlockControl& control = {});

/// The lists of a mask without a visible cell.
BlockLists empty_block_lists(BlockSize size, Extent lengths);

/// How many blocks a list has in its row with the most of them.
Index largest_count(const ImportedRuns& list);

}  // namespace vqscope
