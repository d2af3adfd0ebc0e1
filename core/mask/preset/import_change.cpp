// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/import_change.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t longest_changed_line = 80;

std::string text_change(const std::string& before, const std::string& after) {
  if (before == after) return {};
  const auto former = split(before, '\n'), now = split(after, '\n');
  const auto differing = std::ranges::mismatch(former, now);
  const auto line = differing.in2 - now.begin() + 1;
  if (differing.in2 == now.end()) return fmt::format("the text ends before line {} now", line);
  return fmt::format("line {} is now: {}", line, shortened(trimmed(*differing.in2), longest_changed_line));
}

/// Cells of one row in exactly one of two lists of visible intervals.
Index differing_cells(const std::vector<Range>& a, const std::vector<Range>& b) {
  Index of_a = 0, of_b = 0, common = 0;
  for (const Range& each : a) of_a += each.size();
  for (const Range& each : b) of_b += each.size();
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    common += std::max<Index>(0, std::min(x->end, y->end) - std::max(x->begin, y->begin));
    x->end < y->end ? ++x : ++y;
  }
  return of_a + of_b - 2 * common;
}

std::string cell_change(const ImportedMask& before, const ImportedMask& after) {
  const Extent former = before.extent(), now = after.extent();
  if (former != now)
    return fmt::format("it has {} × {} cells now, {} × {} before", now.rows, now.cols, former.rows, former.cols);
  if (before.runs() == after.runs()) return {};
  Index cells = 0, rows = 0, first = 0, last = 0;
  std::vector<Range> a, b;
  for (Index row = 0; row < now.rows; ++row) {
    before.row(row, a);
    after.row(row, b);
    const Index differing = differing_cells(a, b);
    if (differing == 0) continue;
    if (rows++ == 0) first = row;
    last = row;
    cells += differing;
  }
  const std::string changed = fmt::format("{} {} changed in", cells, cells == 1 ? "cell" : "cells");
  if (rows == 1) return fmt::format("{} row {}", changed, first);
  if (last - first + 1 == rows) return fmt::format("{} rows {} to {}", changed, first, last);
  return fmt::format("{} {} of the rows {} to {}", changed, rows, first, last);
}

}  // namespace

std::string import_change(const MaskImport& before, const MaskImport& after) {
  if (before.is_text() != after.is_text()) return after.is_text() ? "it is a text now" : "it is cells now";
  if (after.is_text()) return text_change(std::get<0>(before.mask), std::get<0>(after.mask));
  return cell_change(*std::get<1>(before.mask), *std::get<1>(after.mask));
}

}  // namespace vqscope
