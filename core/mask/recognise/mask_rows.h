// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/mask/mask.h"

#include <optional>
#include <span>
#include <vector>

namespace vqscope {

/// The visible intervals of every row of a mask, in memory.
class MaskRows {
 public:
  /// Those of all rows, or of the rows and columns of a corner. Errc::too_large, before a row is read or when there are
  /// too many intervals to keep.
  static Result<MaskRows> read(const Mask& mask, CountBudget& budget, const std::optional<Extent>& corner = {});

  Extent extent() const { return m_extent; }
  std::span<const Range> row(Index q) const;
  /// The inverse rows.
  MaskRows inverse() const;
  /// Blocks of `size` tokens in place of tokens: the blocks of keys that the last query of each block sees.
  MaskRows of_blocks(Index size) const;

 private:
  explicit MaskRows(Extent extent) : m_extent(extent) {}

  Extent m_extent;
  std::vector<Range> m_intervals;
  std::vector<std::size_t> m_ends;
};

/// Cells in one list of intervals alone.
Index cells_apart(std::span<const Range> a, std::span<const Range> b);

}  // namespace vqscope
