// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/mask/mask.h"

#include <optional>
#include <span>
#include <vector>

namespace vqscope {

/// The visible intervals of every row of a mask, in memory.
class MaskRows {
 public:
  /// Those of all rows, or of the rows and columns of a corner. Errc::too_large, before a row is
  /// read or when there are too many intervals to keep.
  static Result<MaskRows> read(const Mask& mask, CountBudget& budget, const std::optional<Extent>& corner = {});

  Extent extent() const { return m_extent; }
  std::span<const Range> row(Index q) const;
  /// The inverse rows.
  MaskRows inverse() const;
  /// Blocks of `size` tokens in place of tokens: the blocks of keys that the last query of each
  /// block sees.
  MaskRows of_blocks(Index size) const;

 private:
  explicit MaskRows(Extent extent) : m_extent(extent) {}

  Extent m_extent;
  std::vector<Range> m_intervals;
  std::vector<std::size_t> m_ends;
};

/// Cells in one list of intervals alone.
Index cells_apart(std::span<const Range> a, std::span<const Range> b);

/// The draft just before a token among those that it sees, of the tokens after `context`; -1: none.
/// Nothing: the token does not see itself last. `row` has the keys that the token sees, one range
/// at least.
inline std::optional<Index> draft_parent(Index token, std::span<const Range> row, Index context) {
  if (row.back().end != token + 1) return {};
  Index last = row.back().size() > 1 ? token - 1 : -1;
  if (last < 0 && row.size() > 1) last = row[row.size() - 2].end - 1;
  return last < context ? -1 : last - context;
}

}  // namespace vqscope
