// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/count/block_side.h"

#include <algorithm>

namespace vqscope::language {

BlockSide BlockSide::half(Index which) const {
  const Index size = BlockPatterns::leaf << (level - 1);
  const Index first = begin() + which * size;
  return {level - 1, 2 * block + which, {first, first + size}};
}

BlockSides::BlockSides(Range range) {
  constexpr Index leaf = BlockPatterns::leaf;
  for (Index first = range.begin; first < range.end;) {
    const Index block = first / leaf;
    if (first % leaf != 0 || first + leaf > range.end) {
      const Index last = std::min(range.end, (block + 1) * leaf);
      all[count++] = {0, block, {first, last}};
      first = last;
      continue;
    }
    int level = 0;
    while ((block >> level) % 2 == 0 && first + (leaf << (level + 1)) <= range.end) ++level;
    all[count++] = {level, block >> level, {first, first + (leaf << level)}};
    first += leaf << level;
  }
}

}  // namespace vqscope::language
