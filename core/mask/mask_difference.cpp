// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask_difference.h"

#include "core/base/text.h"
#include "core/mask/band_overlap.h"
#include "core/mask/common_bands.h"

#include <array>

namespace vqscope {
namespace {

std::string extent_text(const Extent& extent) {
  return to_text(extent.rows) + " × " + to_text(extent.cols) + " (queries × keys)";
}

std::uint64_t total_size(const std::vector<Range>& row) {
  std::uint64_t sum = 0;
  for (const Range& range : row) sum += static_cast<std::uint64_t>(range.size());
  return sum;
}

class Comparison {
 public:
  Comparison(const Mask& first, const Mask& second) : m_first(first), m_second(second) {}

  bool by_bands() const { return m_first.has_bands() && m_second.has_bands(); }

  /// How many rows are compared between two looks at the stop token.
  Index step() const {
    if (by_bands()) return std::max<Index>(1, (m_first.extent().rows + 63) / 64);
    return std::min(rows_at_a_time(m_first), rows_at_a_time(m_second));
  }

  /// Of some rows; `first_sees` is left to the caller.
  MaskComparison of(Range rows, bool wants_first) {
    if (!by_bands()) return of_rows(rows, wants_first);
    MaskComparison some = of_bands(rows);
    if (wants_first && !some.equal()) some.first = first_cell(rows);
    return some;
  }

 private:
  MaskComparison of_bands(Range rows) {
    const auto a = m_first.bands(rows, m_scratch[0]);
    const auto b = m_second.bands(rows, m_scratch[1]);
    const std::uint64_t both = common_cells(a, b, rows);
    return {cell_count(a, rows) - both, cell_count(b, rows) - both, {}, false};
  }

  /// Rows of masks without bands are dear, so each is read once.
  MaskComparison of_rows(Range rows, bool wants_first) {
    MaskComparison some;
    for (Index q = rows.begin; q < rows.end; ++q) {
      read_row(q);
      if (m_row[0] == m_row[1]) continue;
      common_ranges(m_row[0], m_row[1], m_both);
      const std::uint64_t both = total_size(m_both);
      some.only_first += total_size(m_row[0]) - both;
      some.only_second += total_size(m_row[1]) - both;
      if (wants_first && !some.first) some.first = {q, first_key()};
    }
    return some;
  }

  /// The first cell of rows that are known to differ.
  MaskCell first_cell(Range rows) {
    while (rows.size() > 1) {
      const Index middle = rows.begin + rows.size() / 2;
      if (of_bands({rows.begin, middle}).equal())
        rows.begin = middle;
      else
        rows.end = middle;
    }
    read_row(rows.begin);
    return {rows.begin, first_key()};
  }

  void read_row(Index q) {
    m_first.row(q, m_row[0]);
    m_second.row(q, m_row[1]);
  }

  /// Of the rows that were read and differ.
  Index first_key() const {
    const auto [x, y] = std::ranges::mismatch(m_row[0], m_row[1]);
    if (x == m_row[0].end()) return y->begin;
    if (y == m_row[1].end()) return x->begin;
    return x->begin != y->begin ? std::min(x->begin, y->begin) : std::min(x->end, y->end);
  }

  const Mask& m_first;
  const Mask& m_second;
  std::array<std::vector<Band>, 2> m_scratch;
  std::array<std::vector<Range>, 2> m_row;
  std::vector<Range> m_both;
};

}  // namespace

std::string MaskComparison::sentence(const std::string& first_name, const std::string& second_name) const {
  if (equal()) return "the masks are equal";
  const auto cells = [](std::uint64_t count) { return grouped_count(count) + (count == 1 ? " cell" : " cells"); };
  return cells(only_first) + " visible only in " + first_name + ", " + cells(only_second) + " only in " + second_name +
         "; the first that differs is query " + to_text(first->q) + ", key " + to_text(first->kv) +
         ", visible only in " + (first_sees ? first_name : second_name);
}

Result<MaskComparison> compare_masks(const Mask& first, const Mask& second, const CompareControl& control) {
  const Extent extent = first.extent();
  if (extent != second.extent())
    return invalid("the first mask is " + extent_text(extent) + " and the second " + extent_text(second.extent()) +
                   ", masks of one extent are compared");
  Comparison comparison(first, second);
  MaskComparison all;
  for (Index begin = 0, step = comparison.step(); begin < extent.rows; begin += step) {
    if (control.stop.stop_requested()) return cancelled();
    const Range rows{begin, std::min(extent.rows, begin + step)};
    const MaskComparison some = comparison.of(rows, !all.first);
    if (!all.first) all.first = some.first;
    all.only_first += some.only_first;
    all.only_second += some.only_second;
    if (control.progress) control.progress(static_cast<double>(rows.end) / static_cast<double>(extent.rows));
  }
  if (all.first) all.first_sees = first.visible(all.first->q, all.first->kv);
  return all;
}

}  // namespace vqscope
