// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/solve/block_counter.h"

namespace vqscope::language {

/// One count of a BlockCounter, with its scratch buffers.
class BlockWalk {
 public:
  BlockWalk(const BlockCounter& counter, CountBudget& budget)
      : m_counter(counter), m_program(counter.m_program), m_budget(budget) {}

  /// Nothing once the budget is spent.
  std::optional<std::uint64_t> count(const Rect& cells);
  Coverage coverage(const Rect& cells);

 private:
  using Bits = BlockCounter::Bits;

  /// A block of indices, and those of it that count: all of them unless the level is 0.
  struct Side {
    int level = 0;
    Index block = 0;
    Range used;

    Index begin() const { return block * (BlockPatterns::leaf << level); }
    bool is_whole() const { return used.size() == BlockPatterns::leaf << level; }
    Side half(Index which) const;
  };

  /// How the value of a slot bears on the answer within a block of cells.
  struct Need {
    bool is_live = false;
    Index period = 0;  ///< adding this to it changes nothing; 0: anything may
  };

  /// Whole blocks, and parts of blocks of level 0 at the ends: two of each size at most.
  struct Sides {
    std::array<Side, 128> all;
    std::size_t count = 0;
    const Side* begin() const { return all.data(); }
    const Side* end() const { return all.data() + count; }
  };
  static Sides sides(Range range);

  std::uint64_t count(const Side& rows, const Side& cols);
  /// Of the used cells of a block of level 0.
  static std::uint64_t count_bits(const Bits& bits, const Side& rows, const Side& cols);
  const Bits& leaf_bits(const Side& rows, const Side& cols);
  Bits bits_of(const Side& rows, const Side& cols);

  /// What each slot can be in a block of cells.
  void make_room();
  Bounds bound(const Side& rows, const Side& cols);
  Bounds bound_upper(const Rect& cells);

  /// From the bounds: what decides the cells, as a key.
  void make_key(const Side& rows, const Side& cols);
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
};

}  // namespace vqscope::language
