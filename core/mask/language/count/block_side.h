// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/count/block_patterns.h"

#include <array>

namespace vqscope::language {

/// A block of indices, and which of them count: all unless the level is 0.
struct BlockSide {
  int level = 0;
  Index block = 0;
  Range used;

  Index begin() const { return block * (BlockPatterns::leaf << level); }
  bool is_whole() const { return used.size() == BlockPatterns::leaf << level; }
  BlockSide half(Index which) const;
};

/// Whole blocks, and parts of blocks of level 0 at the ends: at most two of each size.
struct BlockSides {
  /// The blocks that make up a range.
  explicit BlockSides(Range range);

  std::array<BlockSide, 128> all;
  std::size_t count = 0;
  const BlockSide* begin() const { return all.data(); }
  const BlockSide* end() const { return all.data() + count; }
};

}  // namespace vqscope::language
