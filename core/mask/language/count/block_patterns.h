// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/bind/bound_program.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace vqscope::language {

/// Factors and the nodes that they multiply, all of the query alone or all of the key alone.
using WeightedNodes = std::vector<std::pair<Index, NodeId>>;

/// Integers of consecutive indices in aligned blocks of leaf * 2^level. Blocks whose values differ
/// by one number everywhere share a pattern: tiles, canvases, Morton codes and blocks of a sequence
/// have few of them. Immutable.
class BlockPatterns {
 public:
  static constexpr Index leaf = 16;

  /// The patterns of sum(factor * node) at all queries or all keys; null after a stop, if the
  /// values exceed what is_moderate allows, or if most blocks have their own pattern.
  static std::shared_ptr<const BlockPatterns> make(const BoundProgram& program, const WeightedNodes& nodes,
                                                   bool of_keys, const std::stop_token& stop);

  /// The pattern of a block. The last block may extend beyond the end; its level is then 0.
  std::uint32_t pattern(int level, Index block) const { return m_levels[level_at(level)].patterns[at(block)]; }

  /// The value at the first index of a block.
  Index base(int level, Index block) const { return m_bases[at(block << level)]; }

  /// Smallest and largest value of a pattern relative to its base.
  Bounds bounds(int level, std::uint32_t pattern) const { return m_levels[level_at(level)].bounds[pattern]; }

  /// Smallest and largest value of blocks that cover a range and extend little beyond it.
  Bounds bounds_over(Range range) const;

  /// The difference of consecutive values; empty unless it is the same everywhere.
  std::optional<Index> slope() const { return m_slope; }

  /// The `leaf` values of a pattern of level 0 relative to their base.
  const Index* values(std::uint32_t pattern) const { return m_values.data() + pattern * std::size_t{leaf}; }

 private:
  struct Level {
    std::vector<std::uint32_t> patterns;  ///< by block
    std::vector<Bounds> bounds;           ///< by pattern
  };

  static std::size_t level_at(int level) { return static_cast<std::size_t>(level); }
  static std::size_t at(Index block) { return static_cast<std::size_t>(block); }
  bool add_leaves(const std::vector<Index>& values);
  void add_levels(Index whole_blocks);

  std::vector<Level> m_levels;
  std::optional<Index> m_slope;
  std::vector<Index> m_bases;   ///< by block of level 0
  std::vector<Index> m_values;  ///< by pattern of level 0
};

}  // namespace vqscope::language
