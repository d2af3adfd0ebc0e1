// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/band.h"
#include "core/mask/count_budget.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace vqscope {

/// One column of the table that takes a mask apart: a term, or a comparison inside it.
struct MaskColumn {
  std::string title;     ///< "sliding_window", "q_idx - kv_idx < 512"
  std::size_t term = 0;  ///< index into Mask::terms()
  bool comparison = false;
};

/// What a column says of a cell. `not_asked`: and, or, if did not come to it.
enum class Verdict : std::uint8_t { no, yes, not_asked, error };

/// What is known of all the cells of a rectangle at once.
enum class Coverage : std::uint8_t { none, all, mixed /* or not known */ };

/// [q_length, kv_length]: which keys each query sees. A list of named terms joined by *and*. Immutable.
class Mask {
 public:
  Mask() = default;
  Mask(const Mask&) = delete;
  Mask& operator=(const Mask&) = delete;
  virtual ~Mask() = default;

  virtual Extent extent() const = 0;

  /// Names of the terms, in the order in which they are asked.
  virtual std::vector<std::string> terms() const = 0;

  /// The first term that does not hold; nothing: the key is visible. This is the definition.
  virtual std::optional<std::size_t> failing_term(Index q, Index kv) const = 0;

  /// Whether there is none; a mask may know a faster way than the definition.
  virtual bool visible(Index q, Index kv) const { return !failing_term(q, kv); }

  /// A sentence with the numbers that decided.
  virtual std::string why(Index q, Index kv) const = 0;

  /// Every term, each followed by its comparisons; by default the terms alone.
  virtual std::vector<MaskColumn> columns() const;

  /// For each of columns() what it says of the cell.
  virtual void verdicts(Index q, Index kv, std::vector<Verdict>& out) const = 0;

  /// What the terms look at, as (name, value).
  virtual std::vector<std::pair<std::string, std::string>> facts(Index q, Index kv) const = 0;

  /// The columns that row q sees: sorted, disjoint, not touching.
  virtual void row(Index q, std::vector<Range>& out) const = 0;

  /// Whether bands() are the mask's own, few for any number of rows; else they are made of its rows, one by one.
  virtual bool has_bands() const { return false; }

  /// The mask as bands that cover `rows` and may reach beyond: sorted by rows, row ranges equal or disjoint, columns
  /// of equal rows disjoint. `scratch` may hold them; by default there is one for each interval of each row.
  virtual std::span<const Band> bands(Range rows, std::vector<Band>& scratch) const;

  /// The same for one term alone. Where another term masks a cell anyway, this one may pass it.
  virtual std::span<const Band> term_bands(std::size_t term, Range rows, std::vector<Band>& scratch) const = 0;

  /// What a row takes where there are no bands: how many intervals could be read in that time.
  virtual Index row_cost() const { return 1; }

  /// Whether all cells of a rectangle are visible, or none; without a look at each of them.
  virtual Coverage coverage(const Rect& /*cells*/) const { return Coverage::mixed; }

  /// Visible cells of a rectangle, or those that one term by itself passes; nothing once the budget is spent. By
  /// default it reads the rows.
  virtual std::optional<std::uint64_t> count_cells(const Rect& cells, std::optional<std::size_t> term,
                                                   CountBudget& budget) const;
};

/// How many rows of a mask without bands of its own are read at a time: a few thousand, or fewer where one is dear, so
/// that memory and the time until a stop are bounded.
inline Index rows_at_a_time(const Mask& mask) { return std::clamp<Index>((Index{1} << 22) / mask.row_cost(), 1, 4096); }

/// Calls visit(chunk, bands) for `rows`, all at once where the mask has bands of its own, else rows_at_a_time; until it
/// returns true.
template <class Visit>
void for_each_chunk(const Mask& mask, Range rows, std::vector<Band>& scratch, const Visit& visit) {
  const Index step = mask.has_bands() ? rows.size() : rows_at_a_time(mask);
  for (Index begin = rows.begin; begin < rows.end; begin += step) {
    const Range chunk{begin, std::min(rows.end, begin + step)};
    if (visit(chunk, mask.bands(chunk, scratch))) return;
  }
}

/// Visible cells in some rows; of some of them alone once a stop is requested.
std::uint64_t visible_count(const Mask& mask, Range rows, const std::stop_token& stop = {});

/// The first row that sees nothing: its softmax has no value. Once a stop is requested it looks no further.
std::optional<Index> first_empty_row(const Mask& mask, const std::stop_token& stop = {});

}  // namespace vqscope
