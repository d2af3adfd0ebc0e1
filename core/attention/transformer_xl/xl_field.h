// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/transformer_xl/xl_boundary.h"
#include "core/attention/transformer_xl/xl_pair.h"
#include "core/field/field.h"
#include "core/sequence/xl_segments.h"

#include <optional>
#include <vector>

namespace vqscope {

/// Meaning of a cell (q, k).
enum class XlView {
  layer,    ///< 0 not visible, 1 own segment, 2 memory, 3 visible at a distance above clamp_len
  reach,    ///< 0 no influence, else the least number of layers after which k influences q
  gradient  ///< 0 no influence, 1 read and learnt from, 2 read only: stop-gradient is in between
};

/// [T, T]: visibility and reach of Transformer-XL. A row consists of a few runs of equal cells,
/// which end at an XlBoundary, so that a summary costs a few sums per run and row of tiles, however
/// many tokens there are.
class XlField : public Field {
 public:
  /// `segments` passed check(). The map marks a chosen pair.
  XlField(const XlSegments& segments, XlView view, std::optional<XlPair> pair = std::nullopt);

  Extent extent() const override { return {m_segments.length, m_segments.length}; }
  CellType cell_type() const override { return CellType::int32; }
  double at(Index row, Index col) const override;
  void read(const Rect& block, CellSpan out) const override;
  Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const override;
  std::pair<double, double> value_range() const override { return {0, static_cast<double>(m_largest)}; }
  CellReport report(Index row, Index col) const override;
  std::vector<Mark> marks() const override;
  std::vector<std::pair<std::string, double>> facts(const std::stop_token& stop) const override;

 private:
  struct RowOfTiles;
  void add_segment(Index value, Index before_segment, Index before_row);
  void summarize_row(const TileGrid& grid, Index i, RowOfTiles& tiles, Summary& out) const;

  XlSegments m_segments;
  XlView m_view;
  std::optional<XlPair> m_pair;
  Index m_largest = 0;
  /// From left to right: cells from m_ends[i - 1] up to m_ends[i] hold m_values[i]; the last run
  /// ends after the query. Later keys hold 0.
  std::vector<XlBoundary> m_ends;
  std::vector<Index> m_values;
};

}  // namespace vqscope
