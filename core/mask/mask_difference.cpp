// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask_difference.h"

#include "core/base/text.h"
#include "core/mask/common_bands.h"

namespace vqscope {
namespace {

std::string extent_text(const Extent& extent) {
  return to_text(extent.rows) + " × " + to_text(extent.cols) + " (queries × keys)";
}

class Comparison {
 public:
  Comparison(const Mask& first, const Mask& second) : m_first(first), m_second(second) {}

  /// Cells of the rows that only the first and only the second see.
  MaskComparison counts(Range rows) {
    common_bands(m_first, m_second, rows, m_common);
    std::uint64_t both = 0;
    for (const Band& band : m_common) both += band.cells_before(band.rows, m_first.extent().cols);
    return {visible_count(m_first, rows) - both, visible_count(m_second, rows) - both, {}, false};
  }

  /// The first cell of rows that are known to differ.
  MaskCell first_cell(Range rows) {
    while (rows.size() > 1) {
      const Index middle = rows.begin + rows.size() / 2;
      if (counts({rows.begin, middle}).equal())
        rows.begin = middle;
      else
        rows.end = middle;
    }
    return {rows.begin, first_key(rows.begin)};
  }

 private:
  Index first_key(Index q) const {
    std::vector<Range> a;
    std::vector<Range> b;
    m_first.row(q, a);
    m_second.row(q, b);
    const auto [x, y] = std::ranges::mismatch(a, b);
    if (x == a.end()) return y->begin;
    if (y == b.end()) return x->begin;
    return x->begin != y->begin ? std::min(x->begin, y->begin) : std::min(x->end, y->end);
  }

  const Mask& m_first;
  const Mask& m_second;
  std::vector<Band> m_common;
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
  const bool bands = first.has_bands() && second.has_bands();
  const Index step =
      bands ? std::max<Index>(1, (extent.rows + 63) / 64) : std::min(rows_at_a_time(first), rows_at_a_time(second));
  for (Index begin = 0; begin < extent.rows; begin += step) {
    if (control.stop.stop_requested()) return cancelled();
    const Range rows{begin, std::min(extent.rows, begin + step)};
    const MaskComparison some = comparison.counts(rows);
    if (!some.equal() && !all.first) all.first = comparison.first_cell(rows);
    all.only_first += some.only_first;
    all.only_second += some.only_second;
    if (control.progress) control.progress(static_cast<double>(rows.end) / static_cast<double>(extent.rows));
  }
  if (all.first) all.first_sees = first.visible(all.first->q, all.first->kv);
  return all;
}

}  // namespace vqscope
