// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/mask/map/block_view.h"

namespace vqscope {

/// [blocks of queries, blocks of keys], cell = BlockKind: 0 empty, 1 partial, 2 full. Summaries are
/// exact where the mask has bands and the rows of blocks are not too many to look at, else samples
/// of whole blocks.
class BlockField : public Field {
 public:
  explicit BlockField(BlockView view) : m_view(std::move(view)) {}

  Extent extent() const override { return m_view.extent(); }
  CellType cell_type() const override { return CellType::int32; }
  double at(Index row, Index col) const override;
  double cell_cost() const override;
  void read(const Rect& block, CellSpan out) const override;
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override;
  std::pair<double, double> value_range() const override { return {0, 2}; }
  CellReport report(Index row, Index col) const override;

  /// full, partial, empty: blocks of the whole mask; sparsity: the share that is skipped.
  std::vector<std::pair<std::string, double>> facts(const std::stop_token& stop) const override;

  /// The mask of the tokens.
  const Mask* mask() const override { return &m_view.mask(); }

  FieldForm form() const override { return &m_view; }

 private:
  Result<void> sample(const TileGrid& grid, const SummaryOptions& options, Summary& out) const;

  BlockView m_view;
};

}  // namespace vqscope
