// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges that are sorted, disjoint and not touching: the columns of a row, or some of the rows.
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <span>
#include <vector>

namespace vqscope {

/// Adds a range that begins where the last one ends or behind it; an empty one is left out.
inline void append_range(Range range, std::vector<Range>& ranges) {
  if (range.size() <= 0) return;
  if (!ranges.empty() && ranges.back().end == range.begin)
    ranges.back().end = range.end;
  else
    ranges.push_back(range);
}

/// How many places they hold.
std::uint64_t total_size(std::span<const Range> ranges);

/// Makes `out` what two lists share.
void common_ranges(std::span<const Range> a, std::span<const Range> b, std::vector<Range>& out);

/// Makes `out` what only the first list has.
void ranges_without(std::span<const Range> a, std::span<const Range> b, std::vector<Range>& out);

/// Keeps what is in `to`.
void clip(std::vector<Range>& ranges, Range to);

}  // namespace vqscope
