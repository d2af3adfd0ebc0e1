// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/mask/mask.h"

#include <memory>

namespace vqscope {

/// [q_length, kv_length], cell (q, kv) = 1 where query q sees key kv, else 0.
///
/// A tile's mean is its visible fraction: 0 only where every cell is masked and 1 only where every
/// cell is visible, however large the tile; in between rounded to float32. Its reason is the first
/// term that masks all of the tile by itself, else the term that leaves the smallest part of it
/// visible; 0 where nothing is masked.
///
/// A mask without bands of its own costs its intervals. Above SummaryOptions::max_cells of them
/// tiles are sampled, those excepted that the mask knows to be visible or masked as a whole, and
/// those whose cells it can count in about as many nanoseconds; where that is all of them the
/// summary is exact.
class VisibilityField : public Field {
 public:
  explicit VisibilityField(std::shared_ptr<const Mask> mask) : m_mask(std::move(mask)) {}

  Extent extent() const override { return m_mask->extent(); }
  CellType cell_type() const override { return CellType::boolean; }
  double at(Index row, Index col) const override { return m_mask->visible(row, col) ? 1 : 0; }
  double cell_cost() const override;
  void read(const Rect& block, CellSpan out) const override;
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override;
  std::pair<double, double> value_range() const override { return {0, 1}; }
  CellReport report(Index row, Index col) const override;
  std::vector<std::string> reasons() const override { return m_mask->terms(); }

  FieldForm form() const override { return m_mask; }
  /// For another mask: exact at any length.
  std::shared_ptr<const Field> minus(const Field& other, DifferenceKind kind) const override;

  const Mask* mask() const override { return m_mask.get(); }

 private:
  Result<void> sample(const TileGrid& grid, const SummaryOptions& options, Summary& out) const;

  std::shared_ptr<const Mask> m_mask;
};

}  // namespace vqscope
