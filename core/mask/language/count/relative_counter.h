// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/bind/bound_program.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace vqscope::language {

/// Counts the cells of rectangles for which a truth value holds that is any function of query - key
/// alone: four look-ups per rectangle, or one per corner for a whole grid. Immutable.
class RelativeCounter {
 public:
  /// Evaluates each distance once. Null after a stop.
  static std::unique_ptr<const RelativeCounter> make(const BoundProgram& program, NodeId root,
                                                     const std::stop_token& stop);

  std::uint64_t count(const Rect& cells) const;

  /// counts[i * tiles per row + j]: the cells of rows [row_edges[i], row_edges[i + 1]) and columns
  /// likewise.
  void count_tiles(std::span<const Index> row_edges, std::span<const Index> col_edges,
                   std::span<std::uint64_t> counts) const;

 private:
  /// Distances that share a base; the largest sum within a block fits in 16 bits.
  static constexpr Index block = 256;

  /// Number of distances before a block that hold, and the sum of this number over all earlier
  /// distances.
  struct Base {
    std::uint64_t held = 0;
    std::uint64_t sum = 0;
  };

  explicit RelativeCounter(Extent extent);
  bool fill(const BoundProgram& program, NodeId root, const std::stop_token& stop);
  void add_sums(std::span<const std::uint8_t> holds);

  /// The sum over all x < distance of the number of distances before x that hold.
  std::uint64_t sum_before(Index distance) const {
    const auto at = static_cast<std::size_t>(distance - m_first);
    const Base& base = m_bases[at / block];
    return base.sum + base.held * (at % block) + m_rest[at];
  }

  Extent m_extent;
  Index m_first;  ///< the smallest distance
  std::vector<Base> m_bases;
  std::vector<std::uint16_t> m_rest;  ///< by distance, within its block only
};

}  // namespace vqscope::language
