// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cells/band.h"

#include <initializer_list>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace vqscope {

/// All bands of the same rows, from left to right.
struct Strip {
  Range rows;
  Bands columns;
};

/// The strips of some bands, one after another.
class Strips {
 public:
  class Iterator {
   public:
    Iterator(Bands left) : m_left(left), m_strip(first_strip(left)) {}
    const Strip& operator*() const { return m_strip; }
    const Strip* operator->() const { return &m_strip; }
    Iterator& operator++() {
      m_left = m_left.subspan(m_strip.columns.size());
      m_strip = first_strip(m_left);
      return *this;
    }
    bool operator==(std::default_sentinel_t) const { return m_left.empty(); }

   private:
    static Strip first_strip(Bands bands) {
      if (bands.empty()) return {};
      const Range rows = bands.front().rows;
      // Most strips have a band or two, some as many as there are keys.
      const bool one = bands.size() == 1 || bands[1].rows.begin != rows.begin;
      return {rows, bands.first(one ? 1 : strip_size(bands))};
    }
    static std::size_t strip_size(Bands bands);

    Bands m_left;
    Strip m_strip;
  };

  explicit Strips(Bands bands) : m_bands(bands) {}
  Iterator begin() const { return {m_bands}; }
  std::default_sentinel_t end() const { return {}; }

 private:
  Bands m_bands;
};

/// A set of cells of a matrix of any size: rows × intervals of columns that stand still or move
/// along with the row. Its bands are sorted by rows, the row ranges equal or disjoint, of equal
/// rows the columns disjoint and sorted; each has a cell. What joins sets is in cell_combiner.h,
/// what counts them in cell_count.h.
class CellSet {
 public:
  CellSet() = default;
  explicit CellSet(Bands bands);
  CellSet(std::initializer_list<Band> bands) : CellSet(Bands(bands.begin(), bands.size())) {}

  static CellSet whole(Range rows, Range cols);

  /// The definition.
  bool contains(Index row, Index col) const {
    return std::ranges::any_of(
        m_bands, [&](const Band& band) { return band.rows.contains(row) && band.row(row).contains(col); });
  }

  bool is_empty() const { return m_bands.empty(); }

  /// How many bands it takes.
  std::size_t size() const { return m_bands.size(); }
  Bands bands() const { return m_bands; }
  operator Bands() const { return m_bands; }
  Strips strips() const { return Strips(m_bands); }

  /// No end stops or starts to move within its band: what is joined is straight.
  bool is_straight() const { return m_straight; }

  /// The band is below all others, or to the right of those of the same rows. One without a cell is
  /// left out.
  void append(const Band& band);

  /// Straight columns for some rows below all others; their own rows hold these. Rows that continue
  /// the last ones make no new bands.
  void append(Range rows, Bands columns);

  /// A set that is below.
  void append(const CellSet& below);

  /// Room for as much as another set has.
  void reserve_like(const CellSet& other) { m_bands.reserve(other.m_bands.size()); }
  void reserve(std::size_t bands) { m_bands.reserve(bands); }

  /// The columns that any cell can have.
  Range columns() const;

  /// The cells that are in a rectangle.
  CellSet clipped(const Rect& to) const;

  /// The first cell as (row, column), row by row.
  std::optional<std::pair<Index, Index>> first_cell() const;

  /// Bands that cover all of `rows`, an empty one where there is nothing.
  std::vector<Band> covering(Range rows) const&;
  /// The same of a set that is not needed any more: without gaps before its last row nothing is
  /// copied.
  std::vector<Band> covering(Range rows) &&;

 private:
  /// Whether the bands from `first` on only make the last strip taller, which is done then.
  bool continues_last(Range rows, std::size_t first);

  std::vector<Band> m_bands;
  std::size_t m_last = 0;  ///< where the last strip begins
  bool m_straight = true;
};

/// The straight ramp with the same values in `rows`; nothing where it starts or stops to move
/// within them.
std::optional<Ramp> straight(const Ramp& ramp, Range rows);

/// Smallest and largest column of a strip's bands over some of its rows.
inline Range hull(Range rows, Bands columns) {
  return {columns.front().lo.at(rows.begin), columns.back().hi.at(rows.end - 1)};
}

/// The columns of row q: sorted, disjoint, not touching.
void row_of(Bands bands, Index q, std::vector<Range>& out);

}  // namespace vqscope
