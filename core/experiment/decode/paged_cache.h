// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/decode/decode_lane.h"

#include <optional>
#include <utility>
#include <vector>

namespace vqscope {

/// A token of a batch.
struct LaneToken {
  Index lane = -1;  ///< -1: none
  Index position = -1;

  bool operator==(const LaneToken&) const = default;
};

/// The slots that all lanes share, in blocks of `block_size` (Kwon et al. 2023, section 4.3). A lane
/// takes a block when its newest token needs one: the block that was given back last, or the next
/// unused one. A lane that has ended gives its blocks back. Written by replaying the batch, faults
/// included, up to its step.
class PagedCache {
 public:
  /// The batch has the policy `paged` and at most most_tokens.
  explicit PagedCache(const DecodeBatch& batch);
  static constexpr Index most_tokens = 1048576;  ///< of all lanes, with the unused slots of their blocks

  /// As many slots as all steps need.
  Index slot_count() const { return m_blocks * m_size; }
  /// The lane that has a block; -1: none.
  Index owner(Index block) const { return m_owner[static_cast<std::size_t>(block)]; }
  /// The slot from which a lane reads the token at `position`, as its block table says.
  Index slot(Index lane, Index position) const;
  /// The token that was written last into a slot.
  LaneToken held(Index slot) const { return m_held[static_cast<std::size_t>(slot)]; }
  bool holds(Index lane, Index position) const { return held(slot(lane, position)) == LaneToken{lane, position}; }
  /// The first position at which a lane expects a slot; empty: its block table does not have the
  /// block.
  std::optional<Index> position_in(Index lane, Index slot) const;
  /// The block table of a lane: "0, 1, 9".
  std::string table_text(Index lane) const;

 private:
  /// What the loop knows of a lane.
  struct Table {
    std::vector<Index> blocks;
    Index known = 0;  ///< number of blocks that are in the table; block 0 stands for the others
    bool reads = true;
    std::vector<std::pair<Index, Index>> places = {};  ///< block and its first place in the table, ascending
  };
  Index block_at(const Table& table, Index place) const;
  void advance(const DecodeBatch& batch, Index step);
  void need(Index lane, Index tokens);
  void give_back(Index lane);
  void write(Index lane, Index position);

  Index m_size;
  Index m_blocks = 0;
  DecodeFault m_fault;
  std::vector<Table> m_tables;
  std::vector<Index> m_owner, m_free;  ///< by block; blocks that were given back
  std::vector<LaneToken> m_held;
};

/// What the first lane that reads a wrong slot reads, and how `vqscope check` finds it; empty: none
/// does.
std::string paged_fault_sentence(const DecodeBatch& batch);

}  // namespace vqscope
