// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/import/mask_dump.h"

#include <functional>

namespace vqscope {

/// What kind of numbers a source can hold, before any is looked at.
enum class DumpCells { boolean, whole, real, text, grey };

/// A dump's cells, row by row, as often as they are asked for.
struct DumpRows {
  DumpCells cells = DumpCells::real;
  Extent extent;
  /// Calls visit(row, values) for each row in order until it fails.
  std::function<Result<void>(const std::function<Result<void>(Index, std::span<const double>)>& visit)> each;
};

/// Looks at all cells to tell what they are, then at all again to keep the visible intervals: memory grows with the
/// intervals, not with the cells.
Result<MaskDump> read_dump(const DumpRows& rows, const DumpOptions& options);

}  // namespace vqscope
