// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/recognise/mask_rows.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {

Result<MaskRows> MaskRows::read(const Mask& mask, CountBudget& budget, const std::optional<Extent>& corner) {
  constexpr Index most_rows = Index{1} << 21;
  constexpr Index most_keys = Index{1} << 22;
  constexpr std::size_t most_kept = std::size_t{1} << 23;  // 128 MiB
  Extent extent = mask.extent();
  if (corner) extent = {std::min(extent.rows, corner->rows), std::min(extent.cols, corner->cols)};
  if (extent.rows > most_rows || extent.cols > most_keys)
    return too_large(
        "a mask is recognised by all its rows: at most {} queries and {} keys, not {} and {}; use fewer tokens",
        most_rows, most_keys, extent.rows, extent.cols);
  MaskRows rows(extent);
  std::vector<Range> intervals;
  for (Index q = 0; q < extent.rows; ++q) {
    if (!budget.spend(16) || !mask.read_row(q, {0, extent.cols}, budget, intervals))
      return budget.error(
          fmt::format("recognising a mask whose rows {} to {} have to be looked at key by key", q, extent.rows - 1),
          budget.steps_of_all(static_cast<double>(q) / static_cast<double>(extent.rows)));
    rows.m_intervals.insert(rows.m_intervals.end(), intervals.begin(), intervals.end());
    rows.m_ends.push_back(rows.m_intervals.size());
    if (rows.m_intervals.size() > most_kept)
      return too_large(
          "a mask is recognised by at most {} ranges of keys, and rows 0 to {} have more; use fewer tokens", most_kept,
          q);
  }
  return rows;
}

std::span<const Range> MaskRows::row(Index q) const {
  const auto at = static_cast<std::size_t>(q);
  const std::size_t begin = at == 0 ? 0 : m_ends[at - 1];
  return std::span(m_intervals).subspan(begin, m_ends[at] - begin);
}

MaskRows MaskRows::inverse() const {
  MaskRows inverted(m_extent);
  for (Index q = 0; q < m_extent.rows; ++q) {
    Index begin = 0;
    for (const Range& seen : row(q)) {
      if (begin < seen.begin) inverted.m_intervals.push_back({begin, seen.begin});
      begin = seen.end;
    }
    if (begin < m_extent.cols) inverted.m_intervals.push_back({begin, m_extent.cols});
    inverted.m_ends.push_back(inverted.m_intervals.size());
  }
  return inverted;
}

MaskRows MaskRows::of_blocks(Index size) const {
  const auto blocks = [&](Index tokens) { return (tokens + size - 1) / size; };
  MaskRows coarse({blocks(m_extent.rows), blocks(m_extent.cols)});
  for (Index block = 0; block < coarse.m_extent.rows; ++block) {
    for (const Range& seen : row(std::min((block + 1) * size, m_extent.rows) - 1))
      coarse.m_intervals.push_back({seen.begin / size, blocks(seen.end)});
    coarse.m_ends.push_back(coarse.m_intervals.size());
  }
  return coarse;
}

Index cells_apart(std::span<const Range> a, std::span<const Range> b) {
  Index apart = 0;
  for (const Range& each : a) apart += each.size();
  for (const Range& each : b) apart += each.size();
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    apart -= 2 * std::max<Index>(0, std::min(x->end, y->end) - std::max(x->begin, y->begin));
    x->end < y->end ? ++x : ++y;
  }
  return apart;
}

}  // namespace vqscope
