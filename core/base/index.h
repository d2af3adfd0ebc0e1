// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace vqscope {

/// Every length, position and cell index. 64 bits: T x T leaves 32 bits at T = 46,341.
using Index = std::int64_t;

/// Rows and columns of a matrix.
struct Extent {
  Index rows = 0;
  Index cols = 0;
  friend bool operator==(const Extent&, const Extent&) = default;
};

/// Half open: begin, begin + 1, ..., end - 1.
struct Range {
  Index begin = 0;
  Index end = 0;
  constexpr Index size() const { return end - begin; }
  constexpr bool contains(Index i) const { return begin <= i && i < end; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// The intersection of two ranges; if it is empty, a range whose size is not above 0.
constexpr Range common(Range a, Range b) {
  return {a.begin > b.begin ? a.begin : b.begin, a.end < b.end ? a.end : b.end};
}

/// A block of cells, row-major when it is read.
struct Rect {
  Range rows;
  Range cols;
  /// Unsigned: 2^31 queries by 2^32 keys leave a signed 64-bit number.
  constexpr std::uint64_t area() const {
    return static_cast<std::uint64_t>(rows.size()) * static_cast<std::uint64_t>(cols.size());
  }
  friend bool operator==(const Rect&, const Rect&) = default;
};

}  // namespace vqscope
