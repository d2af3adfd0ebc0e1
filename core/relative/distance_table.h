// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/relative/relative_function.h"

#include <memory>
#include <mutex>
#include <stop_token>

namespace vqscope {

/// The values of a function of relative position, kept by chunks of which each is computed when it is first wanted.
/// Of an even function by distance. Any thread may use it.
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

}  // namespace vqscope
