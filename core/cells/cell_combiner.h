// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cells/cell_set.h"

#include <limits>
#include <vector>

namespace vqscope {

enum class Combine {
  both,        ///< what two sets have in common
  either,      ///< what is in one of them or in both
  first_only,  ///< the first without the second
  one_of,      ///< what is in one of them alone
};

/// Limit of a set, above which a mask counts as unsolvable: 64 MiB of bands.
inline constexpr std::size_t most_bands = std::size_t{1} << 20;

/// Joins sets of cells, and counts the borders that it looks at; once `left` is below 0, of its own
/// or because a set has become too large, what it gives is of no use.
class CellCombiner {
 public:
  Index left = std::numeric_limits<Index>::max();

  CellSet combine(const CellSet& a, const CellSet& b, Combine how);

  /// The same for straight columns of some rows, appended to `out`; rows are split where ends
  /// cross.
  void combine(Range rows, Bands a, Bands b, Combine how, CellSet& out);

 private:
  /// The same cells in straight bands: each strip is split at the rows where one of its ends starts
  /// or stops to move.
  CellSet straightened(const CellSet& set);

  std::vector<Band> m_made;
};

}  // namespace vqscope
