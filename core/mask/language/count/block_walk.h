// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/count/block_counter.h"
#include "core/mask/language/count/block_patterns.h"

#include <array>

namespace vqscope::language {

/// A block of indices, and which of them count: all unless the level is 0.
struct BlockSide {
  int level = 0;
  Index block = 0;
  Range used;

  Index begin() const { return block * (BlockPatterns::leaf << level); }
  bool is_whole() const { return used.size() == BlockPatterns::leaf << level; }
  BlockSide half(Index which) const;
};

/// Whole blocks, and parts of blocks of level 0 at the ends: at most two of each size.
struct BlockSides {
  /// The blocks that make up a range.
  explicit BlockSides(Range range);

  std::array<BlockSide, 128> all;
  std::size_t count = 0;
  const BlockSide* begin() const { return all.data(); }
  const BlockSide* end() const { return all.data() + count; }
};

/// One count of a BlockCounter, with its scratch buffers.
class BlockWalk {
 public:
  BlockWalk(const BlockCounter& counter, CountBudget& budget)
      : m_counter(counter), m_program(counter.m_program), m_budget(budget) {}

  /// The count; empty once the budget is spent.
  std::optional<std::uint64_t> count(const Rect& cells);
  Coverage coverage(const Rect& cells);

  /// The same for certain: counts until two cells differ; empty once the budget is spent.
  std::optional<Coverage> certain_coverage(const Rect& cells);

  using Bits = BlockCounter::Bits;

  /// The count of one block of cells; 0 once the budget is spent.
  std::uint64_t count(const BlockSide& rows, const BlockSide& cols);

  /// The common value of all cells of a block; empty if it is not known or the budget is spent.
  std::optional<bool> decided(const BlockSide& rows, const BlockSide& cols);

  /// All cells of a block of level 0, used or not. Valid until the next call.
  const Bits& bits(const BlockSide& rows, const BlockSide& cols);

  bool is_over() const { return m_is_over; }

 private:
  /// How the value of a slot affects the result within a block of cells.
  struct Need {
    bool is_live = false;
    Index period = 0;  ///< adding this to the value changes nothing; 0: no such period
  };

  /// Adds a part of the cells to those that are counted.
  std::uint64_t counted(std::uint64_t seen, const BlockSide& rows, const BlockSide& cols);
  bool is_enough() const { return m_until_mixed && m_seen > 0 && m_unseen > 0; }

  /// The count over the used cells of a block of level 0.
  static std::uint64_t count_bits(const Bits& bits, const BlockSide& rows, const BlockSide& cols);
  const Bits& leaf_bits(const BlockSide& rows, const BlockSide& cols);
  Bits bits_of(const BlockSide& rows, const BlockSide& cols);

  /// Prepares the bounds of each slot in a block of cells.
  void make_room();
  Bounds bound(const BlockSide& rows, const BlockSide& cols);
  Bounds bound_upper(const Rect& cells);

  /// Makes a key of everything that decides the cells, from the bounds.
  void make_key(const BlockSide& rows, const BlockSide& cols);
  void find_needs();
  void need(int slot, Index period);

  const BlockCounter& m_counter;
  const BoundProgram& m_program;
  CountBudget& m_budget;
  std::vector<Bounds> m_bounds;  ///< by slot
  std::vector<Need> m_needs;     ///< by slot
  std::vector<Index> m_key;
  Bits m_leaf{};
  bool m_is_over = false;
  bool m_until_mixed = false;
  std::uint64_t m_seen = 0;    ///< of the cells that are counted so far
  std::uint64_t m_unseen = 0;  ///< the others of them
};

}  // namespace vqscope::language
