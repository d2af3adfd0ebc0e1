// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/solve/query_key_sum.h"
#include "core/mask/language/solve/region_work.h"

#include <optional>
#include <span>
#include <vector>

namespace vqscope::language {

enum class Relation { at_most, equal };

/// A line over some rows, or over some columns.
struct LinePiece {
  Range range;
  Index first = 0;
  Index slope = 0;
};

/// The columns [lo, hi) of one piece of the key, each end limited to the piece; only `rows` if the
/// key does not
/// matter.
struct Segment {
  Range cols;
  Range rows;
  Ramp lo;
  Ramp hi;
};

/// Compares f(query) + g(key) with a number, over regions.
class SumRestriction {
 public:
  explicit SumRestriction(RegionWork& work) : m_work(work) {}

  /// Where sum <= limit or sum == limit.
  CellSet restricted(const Sum& sum, Relation relation, Index limit, const CellSet& within);

 private:
  /// Calls body with each piece of a part that `over` touches. `near` is where the last call for
  /// the query, or for the key, began: strips follow one another, and so do their pieces.
  template <class Body>
  void for_pieces(const Part& part, Range over, std::size_t& near, const Body& body) {
    near = piece_at(*part.pieces, over.begin, near);
    for (std::size_t p = near; p < part.pieces->size() && !m_work.failed(); ++p) {
      const ArrayPiece& piece = (*part.pieces)[p];
      if (piece.range.begin >= over.end) break;
      if (m_work.spend(0)) body(piece);
    }
  }

  void intersect(Range rows, Bands a, std::span<const Range> columns, CellSet& out);

  /// Cases in which only the query matters, only the key, or both.
  CellSet by_rows(const Part& f, Relation relation, Index target, const CellSet& within);
  CellSet by_columns(const Part& g, Relation relation, Index target, const CellSet& within);

  /// Equality if both parts have constant pieces: looks up the key's pieces by value for each piece
  /// of the query.
  CellSet by_values(const Sum& sum, Index target, const CellSet& within);

  /// sum <= target if both parts have constant pieces and the key's values are monotonic: one
  /// interval for each piece of the query. Empty if they are not monotonic.
  std::optional<CellSet> by_stairs(const Sum& sum, Index target, const CellSet& within);

  /// Compares pieces of the query with those of the key, within the region.
  CellSet by_boxes(const Sum& sum, Relation relation, Index target, const CellSet& within);

  /// The columns where a function of the key satisfies the comparison, with neighbours joined.
  std::vector<Range> fitting_columns(const Part& g, Relation relation, Index target, Range over);

  // Boxes: box_restriction.cpp.

  /// Compares one piece of the query with all pieces of the key.
  void box_row(const LinePiece& f, const Part& g, Relation relation, Index target, Bands intervals, CellSet& out);

  /// Adds to m_cuts the rows at which an end of a range starts or stops moving.
  void cut_rows(Range rows);

  /// f + g <= target or == target over a box, as an interval for each row. False: nowhere, or it
  /// failed.
  bool narrow(const LinePiece& f, const LinePiece& g, Relation relation, Index target, Segment& segment);

  RegionWork& m_work;
  std::size_t m_near_query = 0;
  std::size_t m_near_key = 0;
  std::vector<Segment> m_segments;
  std::vector<Index> m_cuts;
  std::vector<Band> m_columns;
};

}  // namespace vqscope::language
