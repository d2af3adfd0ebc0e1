// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/mask/mask.h"

#include <memory>

namespace vqscope {

/// [q_length, kv_length] of two masks of one extent: 1 where only the first sees the key, -1 where
/// only the second, else 0. Its one reason tells cells that both see from those that neither sees: a
/// tile has it if a cell of it is seen by both. Tiles are counted by the cells that both see, so they are exact at any
/// length; a mask without bands of its own costs its intervals, and Mask::row_cost for a row, and
/// above SummaryOptions::max_cells tiles are sampled.
class VisibilityDifference : public Field {
 public:
  VisibilityDifference(std::shared_ptr<const Mask> first, std::shared_ptr<const Mask> second)
      : m_first(std::move(first)), m_second(std::move(second)) {}

  Extent extent() const override { return m_first->extent(); }
  CellType cell_type() const override { return CellType::int32; }
  double at(Index row, Index col) const override;
  double cell_cost() const override;
  void read(const Rect& block, CellSpan out) const override;
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override;
  std::pair<double, double> value_range() const override { return {-1, 1}; }
  std::vector<std::string> reasons() const override { return {"both"}; }

 private:
  std::shared_ptr<const Mask> m_first;
  std::shared_ptr<const Mask> m_second;
};

}  // namespace vqscope
