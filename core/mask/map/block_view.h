// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/mask/mask.h"

#include <functional>
#include <memory>

namespace vqscope {

/// Work of a block-sparse kernel for one block.
enum class BlockKind : std::uint8_t {
  empty,    ///< no cell visible: skipped
  partial,  ///< some: the mask is evaluated cell by cell
  full,     ///< all: no mask needed
};

/// BLOCK_SIZE: queries and keys of a block. Both at least 1.
struct BlockSize {
  Index q = 128;
  Index kv = 128;
};

/// Neighbouring blocks of one row of blocks that are of one kind.
struct BlockRun {
  Range blocks;
  BlockKind kind = BlockKind::empty;
  friend bool operator==(const BlockRun&, const BlockRun&) = default;
};

struct BlockCounts {
  std::uint64_t full = 0;
  std::uint64_t partial = 0;
  std::uint64_t empty = 0;

  std::uint64_t blocks() const { return full + partial + empty; }
  /// The share of blocks that are skipped.
  double sparsity() const { return static_cast<double>(empty) / static_cast<double>(blocks()); }
  /// "55.5 %"; with enough digits to differ from 100 % if a block is computed.
  std::string sparsity_text() const;
  /// "98 full, 16 partial, 142 empty of 256 blocks: 55.5 % sparse".
  std::string sentence() const;
};

/// A mask in blocks, as FlexAttention's BlockMask has it. The last row and column of blocks hold
/// what is left of the extent, and are full when all of that is visible. Costs the mask's
/// intervals, not its blocks.
class BlockView {
 public:
  BlockView(std::shared_ptr<const Mask> mask, BlockSize size);

  /// Blocks of queries x blocks of keys.
  Extent extent() const;
  BlockSize size() const { return m_size; }
  const Mask& mask() const { return *m_mask; }

  /// The queries and keys of a block.
  Rect cells(Index row, Index col) const;
  /// Visible cells of a block, counted; nothing once the budget is over.
  std::optional<std::uint64_t> visible_cells(Index row, Index col, CountBudget& budget) const;
  /// The definition is by the count; cells are looked at until two differ. Nothing once the budget
  /// is over.
  std::optional<BlockKind> kind(Index row, Index col, CountBudget& budget) const;

  /// The kinds of some blocks, row by row. False, and `out` is of no use, once the budget is over.
  bool kinds(const Rect& blocks, CountBudget& budget, std::span<BlockKind> out) const;

  /// A whole row of blocks: in order, without gaps, no two neighbours of one kind. False, and `out`
  /// is of no use, once the budget is over.
  bool row(Index row, CountBudget& budget, std::vector<BlockRun>& out) const;

  /// About how many steps kind() takes where a few looks settle it.
  Index kind_steps() const { return 8 * m_mask->look_steps(); }

  /// About how many steps row() takes.
  Index row_steps() const;

 private:
  /// Whether a row of blocks costs less by its bands or its cells than block by block.
  bool works_by_rows() const;
  bool row_by_kinds(Index row, CountBudget& budget, std::vector<BlockRun>& out) const;

  std::shared_ptr<const Mask> m_mask;
  BlockSize m_size;
};

struct BlockControl {
  int threads = 1;
  std::function<void(double fraction)> progress;  ///< 0 to 1, on any thread
  std::stop_token stop;
  Index most_steps = most_steps_of_an_answer;
};

/// Exact. Errc::cancelled once a stop is requested; Errc::too_large, most often at once, where it
/// takes too long.
Result<BlockCounts> count_blocks(const BlockView& view, const BlockControl& control = {});

/// A warning when a block mask made for queries x keys `made_for` is used with `used_with`: its
/// blocks then lack the tokens beyond, or cover the wrong ones (FlexAttention does not compare all
/// lengths). Nothing when it fits.
std::optional<std::string> block_mask_reuse(Extent made_for, Extent used_with);

}  // namespace vqscope
