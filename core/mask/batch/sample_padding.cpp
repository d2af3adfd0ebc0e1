// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/batch/sample_padding.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

Result<SamplePadding> padding_of(std::span<const Index> row) {
  const auto wrong = std::ranges::find_if(row, [](Index value) { return value != 0 && value != 1; });
  if (wrong != row.end())
    return invalid("token {} is {}, must be 1 for a real token and 0 for padding", wrong - row.begin(), *wrong);
  const auto first = std::ranges::find(row, 1);
  const auto end = std::find(first, row.end(), 0);
  if (const auto again = std::find(end, row.end(), 1); again != row.end())
    return invalid("token {} is 0 between ones, and padding must be at one end", end - row.begin());
  const Index left = first - row.begin();
  const Index right = row.end() - end;
  if (first == row.end()) return SamplePadding{left, PaddingSide::right};
  if (left > 0 && right > 0)
    return invalid("tokens {} and {} are 0 on both sides of ones, and padding must be at one end", left - 1,
                   end - row.begin());
  return SamplePadding{left + right, left > 0 ? PaddingSide::left : PaddingSide::right};
}

/// The one interval of each run of equal rows; nothing if a row has another form than padding.
std::optional<std::vector<Range>> padding_rows(const ImportedMask& on) {
  std::vector<Range> rows;
  const ImportedRuns& runs = on.runs();
  const Index keys = on.extent().cols;
  for (std::size_t run = 0; run < runs.run_count(); ++run) {
    const auto intervals = runs.intervals_of(run);
    if (intervals.size() > 1) return {};
    Range row;
    if (!intervals.empty()) row = {intervals[0].begin, intervals[0].end};
    if (!intervals.empty() && row.begin != 0 && row.end != keys) return {};
    rows.push_back(row);
  }
  return rows;
}

/// Whether the visible keys of each query end with its own, the last query at the last key.
bool is_staircase(const ImportedRuns& runs, const std::vector<Range>& rows, const Extent& extent) {
  for (std::size_t run = 0; run < rows.size(); ++run)
    if (runs.rows_of(run).size() != 1 || rows[run] != Range{0, extent.cols - extent.rows + 1 + runs.rows_of(run).begin})
      return false;
  return true;
}

/// Whether each query has its own key among those that are on, or each among those that are off.
bool separates_diagonal(const ImportedRuns& runs, const std::vector<Range>& rows) {
  bool all_on = true;
  bool all_off = true;
  for (std::size_t run = 0; run < rows.size(); ++run) {
    const Range queries = runs.rows_of(run);
    const Range& on = rows[run];
    all_on = all_on && on.begin <= queries.begin && queries.end <= on.end;
    all_off = all_off && (on.size() == 0 || on.end <= queries.begin || queries.end <= on.begin);
  }
  return all_on || all_off;
}

}  // namespace

Result<std::vector<SamplePadding>> sample_padding(const SampleArray& attention_mask) {
  std::vector<SamplePadding> all;
  for (Index sample = 0; sample < attention_mask.samples(); ++sample) {
    const auto padding = padding_of(attention_mask.row(sample));
    if (!padding && attention_mask.is_table())
      return invalid("attention_mask: sample {}: {}", sample, padding.error().message);
    if (!padding) return invalid("attention_mask: {}", padding.error().message);
    all.push_back(*padding);
  }
  return all;
}

bool is_attention_mask(const ImportedMask& on) {
  const auto rows = padding_rows(on);
  if (!rows) return false;
  const Extent extent = on.extent();
  if (extent.rows <= extent.cols && is_staircase(on.runs(), *rows, extent)) return false;
  return extent.rows != extent.cols || (rows->size() > 1 && !separates_diagonal(on.runs(), *rows));
}

std::vector<SamplePadding> sample_padding(const ImportedMask& on) {
  const Extent extent = on.extent();
  std::vector<SamplePadding> all;
  std::vector<Range> row;
  for (Index sample = 0; sample < extent.rows; ++sample) {
    on.row(sample, row);
    const Range real = row.empty() ? Range{} : row.front();
    all.push_back({extent.cols - real.size(), real.begin > 0 ? PaddingSide::left : PaddingSide::right});
  }
  return all;
}

}  // namespace vqscope
