// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/relative/relative_function.h"

#include <memory>
#include <mutex>
#include <stop_token>

namespace vqscope {

/// The values of a function of relative position, kept by chunks of which each is computed when it
/// is first wanted. Of an even function by distance. Any thread may use it.
class DistanceTable {
 public:
  static constexpr Index chunk = 4096;  ///< chunks begin at multiples of it

  /// For arguments of `range`.
  DistanceTable(RelativeFunction function, Range range);

  /// Computes what is missing of `range`, on several threads. Stopped: not all of it.
  void compute(Range range, int threads, const std::stop_token& stop) const;

  /// Values of [range.begin, range.end), all in one chunk.
  std::span<const double> values(Range range) const;

  Range range() const { return m_range; }

 private:
  struct Chunk {
    std::once_flag once;
    std::vector<double> values;
  };
  Chunk& computed(Index index) const;

  RelativeFunction m_function;
  Range m_range;
  Index m_first;  ///< index of the first chunk
  std::unique_ptr<Chunk[]> m_chunks;
};

/// Sums over a segment of `count` relative positions from `first` on, of f - centre.
struct SegmentSums {
  double sum = 0;
  double ramp = 0;  ///< each value times how many of the segment come after it
};

/// Sums and extremes of segments that lie between two neighbours of borders(): closed or by
/// quadrature where the function is constant or smooth, so that their cost does not grow with their
/// length, from a table where it is rough.
class SegmentReader {
 public:
  /// `table` holds every rough value in use; it may be null if there is none.
  SegmentReader(const RelativeFunction& function, const DistanceTable* table, double centre)
      : m_function(function), m_table(table), m_centre(centre) {}

  /// Ascending, strictly between `begin` and `end`.
  std::vector<Index> borders(Index begin, Index end) const;

  /// Within 1e-9 of the function's range times what a sum counts.
  SegmentSums sums(Index first, Index count) const;

  /// Smallest and largest value; of no values +inf and -inf.
  std::pair<double, double> extremes(Index first, Index count) const;

  bool has_values(Index first) const { return m_function.piece_of(first).kind != PieceKind::none; }

 private:
  const RelativeFunction& m_function;
  const DistanceTable* m_table;
  double m_centre;
};

}  // namespace vqscope
