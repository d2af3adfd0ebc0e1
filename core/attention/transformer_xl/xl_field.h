// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/field/field.h"
#include "core/sequence/xl_segments.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// A chosen query and key.
struct XlPair {
  Index query = 0;
  Index key = 0;
};

/// "layer 3 at 900 → layer 2 at 819 → layer 1 at 614 → input at 500", without the middle of a long
/// path; empty if there is no path.
std::string describe_path(const std::vector<XlHop>& path);

/// One sentence: whether the key influences the query, from which layer on, by which path, and
/// whether gradient flows back.
std::string describe_pair(const XlSegments& segments, const XlPair& pair);

/// For the inspector: facts, then that sentence.
CellReport report_pair(const XlSegments& segments, const XlPair& pair);

/// A column boundary in each row of a matrix whose rows are tokens in segments of `segment_len`:
/// the first token of the row's segment minus `before_segment`, or the row minus `before_row`,
/// whichever is larger, and at least 0. It never decreases from one row to the next.
struct XlBoundary {
  /// Value of `before_segment` or `before_row` that leaves the decision to the other one.
  static constexpr Index never = Index{1} << 60;

  Index segment_len = 1;
  Index before_segment = never;
  Index before_row = never;

  Index at(Index row) const {
    return std::max({Index{0}, row / segment_len * segment_len - before_segment, row - before_row});
  }

  /// Number of cells of a rectangle at or right of the boundary, in O(1) for any number of rows;
  /// modulo 2^64.
  std::uint64_t cells_from(const Rect& cells) const;

 private:
  /// Sum of the boundary within `cols` over rows of one segment.
  std::uint64_t sum_in_segment(Range rows, Range cols) const;
  /// The same over the whole segments first, first + 1, ..., end - 1.
  std::uint64_t sum_of_segments(Range segments, Range cols) const;
};

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
