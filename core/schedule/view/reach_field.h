// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/schedule/reach/layer_reach.h"

namespace vqscope {

/// [layers, tokens]: how each token reaches one query after each layer, as a number of ReachKind.
class ReachField : public Field {
 public:
  ReachField(LayerSight sight, LayerReach reach);

  Extent extent() const override { return {m_reach.layers(), m_sight.sequence().length}; }
  CellType cell_type() const override { return CellType::int32; }
  double at(Index row, Index col) const override { return static_cast<double>(m_reach.kind(row, col)); }
  /// Exact at any length: a layer has at most seven spans.
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override;
  std::pair<double, double> value_range() const override { return {0, reach_kinds - 1}; }
  CellReport report(Index row, Index col) const override;
  std::vector<std::pair<std::string, double>> facts(const std::stop_token& stop) const override;

 private:
  LayerSight m_sight;
  LayerReach m_reach;
};

/// Words for a kind: "through layers below".
std::string name_of(ReachKind kind);

/// Why the key reaches the query after the layer or does not: the first layer, and a shortest path.
std::string reach_reason(const LayerSight& sight, const LayerReach& reach, Index layer, Index key);

}  // namespace vqscope
