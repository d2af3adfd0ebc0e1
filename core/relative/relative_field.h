// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/relative/segment_sums.h"

#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace vqscope {

/// Texts of a cell's report on the value.
struct RelativeTexts {
  std::string value_name;                          ///< "bias"
  std::function<std::string(Index relative)> why;  ///< derivation of the value, with its numbers
};

/// [q_length, kv_length] float32, cell (q, kv) = f(kv - (past_len + q)) for a real function f.
///
/// Tiles share few corners, and so few segments of relative positions: each segment is summed once,
/// whatever its length, and its second prefix sums, in whole numbers so that nothing cancels, give
/// every tile's mean. Extremes are those of the segments under a tile. Where f is rough every value
/// in view is computed, and kept up to most_kept; beyond most_read of them in one view, or
/// most_cosines for all of them, the tiles are sampled.
class RelativeField : public Field {
 public:
  static constexpr Index most_kept = Index{1} << 23;
  static constexpr Index most_read = Index{1} << 23;
  static constexpr double most_cosines = 0x1p32;  ///< some seconds

  RelativeField(Extent extent, Index past_len, RelativeFunction function, RelativeTexts texts);

  Extent extent() const override { return m_extent; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override { return m_f.at(relative_position(row, col)); }
  double cell_cost() const override { return m_f.cost(); }
  void read(const Rect& block, CellSpan out) const override;
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override;
  std::pair<double, double> value_range() const override;
  /// For a rough function, whose bounds need not be tight: the extremes of the smallest distances.
  std::optional<std::pair<double, double>> typical_range() const override;
  CellReport report(Index row, Index col) const override;
  FieldForm form() const override { return RelativeForm{&m_f, m_past_len}; }
  /// For another relative field with the same extent and past_len.
  std::shared_ptr<const Field> minus(const Field& other, DifferenceKind kind) const override;

  Index relative_position(Index row, Index col) const { return col - (m_past_len + row); }
  const RelativeFunction& function() const { return m_f; }

 private:
  /// The relative positions of a block's cells.
  Range relative_positions(const Rect& block) const;
  /// Those of `relative` as arguments of f where f is rough; empty if none is.
  Range rough_arguments(Range relative) const;
  std::shared_ptr<const DistanceTable> table_for(Range rough) const;
  /// Whether that many rough values can be computed for one view.
  bool can_read(Range rough) const;

  Extent m_extent;
  Index m_past_len;
  RelativeFunction m_f;
  RelativeTexts m_texts;
  std::shared_ptr<const DistanceTable> m_table;  ///< null where nothing is rough, or too much to keep
  mutable std::once_flag m_typical_once;
  mutable std::pair<double, double> m_typical;
};

}  // namespace vqscope
