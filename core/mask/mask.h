// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cells/band.h"
#include "core/cells/count_budget.h"
#include "core/cells/ranges.h"
#include "core/mask/text_notes.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace vqscope {

/// Nanoseconds, about, of reading one interval of a row.
inline constexpr Index steps_of_interval = 16;

/// One column of the table that takes a mask apart: a term, or a comparison inside it.
struct MaskColumn {
  std::string title;     ///< "sliding_window", "q_idx - kv_idx < 512"
  std::size_t term = 0;  ///< index into Mask::terms()
  bool comparison = false;
};

/// Value of a column for a cell. `skipped`: `and`, `or` or `if` did not evaluate it.
enum class Verdict : std::uint8_t { no, yes, skipped, error };

/// Coverage of a rectangle, as far as known without visiting its cells.
enum class Coverage : std::uint8_t { none, all, mixed /* or not known */ };

/// [q_length, kv_length]: which keys each query sees. A list of named terms joined by *and*.
/// Immutable.
class Mask {
 public:
  Mask() = default;
  Mask(const Mask&) = delete;
  Mask& operator=(const Mask&) = delete;
  virtual ~Mask() = default;

  virtual Extent extent() const = 0;

  /// Names of the terms, in the order in which they are evaluated.
  virtual std::vector<std::string> terms() const = 0;

  /// The first term that does not hold; nothing: the key is visible. This is the definition.
  virtual std::optional<std::size_t> failing_term(Index q, Index kv) const = 0;

  /// The same for pictures; a mask may know a faster way than the definition.
  virtual std::optional<std::size_t> masking_term(Index q, Index kv) const { return failing_term(q, kv); }

  /// Whether there is none; a mask may know a faster way than the definition.
  virtual bool visible(Index q, Index kv) const { return !failing_term(q, kv); }

  /// A sentence with the numbers that decided.
  virtual std::string why(Index q, Index kv) const = 0;

  /// Every term, each followed by its comparisons; by default the terms alone.
  virtual std::vector<MaskColumn> columns() const;

  /// The value of each of columns() for the cell.
  virtual void verdicts(Index q, Index kv, std::vector<Verdict>& out) const = 0;

  /// Inputs of the terms, as (name, value).
  virtual std::vector<std::pair<std::string, std::string>> facts(Index q, Index kv) const = 0;

  /// Of a mask that is a text: its values at the cell, line by line. Of other masks nothing.
  virtual TextNotes text_notes(Index /*q*/, Index /*kv*/) const { return {}; }

  /// Other than 0 that an additive file of the mask holds, in no order; of other masks, and of
  /// files with too many, none.
  virtual std::span<const double> numbers() const { return {}; }

  /// The columns that row q sees: sorted, disjoint, not touching. However long that takes, and
  /// however many they are: read_row() is for masks of any size.
  virtual void row(Index q, std::vector<Range>& out) const = 0;

  /// The part of row q within `cols`, on a budget. False, and `out` is of no use, once the budget
  /// is over; that of a row with more than most_row_intervals is given up. By default it takes
  /// row() apart.
  virtual bool read_row(Index q, Range cols, CountBudget& budget, std::vector<Range>& out) const;

  /// Whether bands() are the mask's own, few for any number of rows; else they are made of its
  /// rows, one by one.
  virtual bool has_bands() const { return false; }

  /// The mask as bands that cover `rows` and may reach beyond: sorted by rows, row ranges equal or
  /// disjoint, columns of equal rows disjoint and sorted. `scratch` may hold them; by default there
  /// is one for each interval of each row: then read few rows, or use read_bands().
  virtual std::span<const Band> bands(Range rows, std::vector<Band>& scratch) const;

  /// The same for one term alone. Where another term masks a cell anyway, this one may pass it.
  virtual std::span<const Band> term_bands(std::size_t term, Range rows, std::vector<Band>& scratch) const = 0;

  /// Cost of a row without bands, as the number of intervals that could be read in that time.
  virtual Index row_cost() const { return 1; }

  /// Whether all cells of a rectangle are visible, or none; without a look at each of them.
  virtual Coverage coverage(const Rect& /*cells*/) const { return Coverage::mixed; }

  /// The same for certain: looks at cells until two of them differ. Nothing once the budget is
  /// over.
  virtual std::optional<Coverage> certain_coverage(const Rect& cells, CountBudget& budget) const;

  /// About how many nanoseconds visible() takes; coverage() takes a few times as long.
  virtual Index look_steps() const { return 16; }

  /// Visible cells of a rectangle, or those that one term by itself passes; nothing once the budget
  /// is spent. By default it reads the rows.
  virtual std::optional<std::uint64_t> count_cells(const Rect& cells, std::optional<std::size_t> term,
                                                   CountBudget& budget) const;

  /// The same of all tiles between row and column edges at once, row by row, where that takes less
  /// than one after the other. False, and the counts are of no use: it takes no less, or the budget
  /// is spent.
  virtual bool count_tiles(std::span<const Index> /*row_edges*/, std::span<const Index> /*col_edges*/,
                           std::optional<std::size_t> /*term*/, CountBudget& /*budget*/,
                           std::span<std::uint64_t> /*counts*/) const {
    return false;
  }

  /// The budget of the counts of a picture that may look at that many cells. What counting needs is
  /// made here.
  virtual Index counting_steps(Index cells, const std::stop_token& /*stop*/) const { return cells; }
};

/// A band for each interval of a row, or an empty one.
void append_row(Index q, std::span<const Range> intervals, std::vector<Band>& out);

/// Limit of a row of a mask without bands: 32 MiB of intervals.
inline constexpr std::size_t most_row_intervals = std::size_t{1} << 21;

/// The whole of row q on a budget.
inline bool read_row(const Mask& mask, Index q, CountBudget& budget, std::vector<Range>& out) {
  return mask.read_row(q, {0, mask.extent().cols}, budget, out);
}

/// The mask's own bands of `rows`; where it has none, those of as many rows as keep memory small,
/// at least one, and `rows` ends behind them. `terms`: of one term alone. False once the budget is
/// over.
bool read_bands(const Mask& mask, Range& rows, CountBudget& budget, std::vector<Band>& scratch,
                std::span<const Band>& bands);

/// Calls visit(chunk, bands) for `rows`, all at once where the mask has bands of its own, else a
/// few rows at a time. The rows that were read: all of them unless the budget is over.
template <class Visit>
Range for_each_chunk(const Mask& mask, Range rows, CountBudget& budget, std::vector<Band>& scratch,
                     const Visit& visit) {
  for (Index begin = rows.begin; begin < rows.end;) {
    Range chunk{begin, rows.end};
    std::span<const Band> bands;
    if (!read_bands(mask, chunk, budget, scratch, bands)) return {rows.begin, begin};
    visit(chunk, bands);
    begin = chunk.end;
  }
  return rows;
}

/// Visible cells in some rows; nothing once the budget is over.
std::optional<std::uint64_t> visible_count(const Mask& mask, Range rows, CountBudget& budget);

}  // namespace vqscope
