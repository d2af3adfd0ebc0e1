// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <algorithm>
#include <cstdint>

namespace vqscope {

/// A column boundary in each row of a matrix whose rows are tokens in segments of `segment_len`:
/// the first token of the row's segment minus `before_segment`, or the row minus `before_row`,
/// whichever is larger, and at least 0. It never decreases from one row to the next.
struct XlBoundary {
  /// Value of `before_segment` or `before_row` that leaves the decision to the other one.
  static constexpr Index never = Index{1} << 60;

  Index segment_len = 1;
  Index before_segment = never;
  Index before_row = never;

  Index at(Index row) const {
    return std::max({Index{0}, row / segment_len * segment_len - before_segment, row - before_row});
  }

  /// Number of cells of a rectangle at or right of the boundary, in O(1) for any number of rows;
  /// modulo 2^64.
  std::uint64_t cells_from(const Rect& cells) const;

 private:
  /// Sum of the boundary within `cols` over rows of one segment.
  std::uint64_t sum_in_segment(Range rows, Range cols) const;
  /// The same over the whole segments first, first + 1, ..., end - 1.
  std::uint64_t sum_of_segments(Range segments, Range cols) const;
};

}  // namespace vqscope
