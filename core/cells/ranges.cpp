// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cells/ranges.h"

#include <algorithm>

namespace vqscope {

std::uint64_t total_size(std::span<const Range> ranges) {
  std::uint64_t sum = 0;
  for (const Range& range : ranges) sum += static_cast<std::uint64_t>(range.size());
  return sum;
}

void common_ranges(std::span<const Range> a, std::span<const Range> b, std::vector<Range>& out) {
  out.clear();
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    const Range both = common(*x, *y);
    if (both.size() > 0) out.push_back(both);
    x->end < y->end ? ++x : ++y;
  }
}

void ranges_without(std::span<const Range> a, std::span<const Range> b, std::vector<Range>& out) {
  out.clear();
  auto hole = b.begin();
  for (Range rest : a) {
    while (hole != b.end() && hole->end <= rest.begin) ++hole;
    // A hole may reach into the next range.
    for (auto at = hole; at != b.end() && at->begin < rest.end; ++at) {
      append_range({rest.begin, at->begin}, out);
      rest.begin = std::max(rest.begin, at->end);
    }
    append_range(rest, out);
  }
}

void clip(std::vector<Range>& ranges, Range to) {
  const auto first = std::ranges::partition_point(ranges, [&](const Range& r) { return r.end <= to.begin; });
  ranges.erase(ranges.begin(), first);
  const auto behind = std::ranges::partition_point(ranges, [&](const Range& r) { return r.begin < to.end; });
  ranges.erase(behind, ranges.end());
  if (ranges.empty()) return;
  ranges.front().begin = std::max(ranges.front().begin, to.begin);
  ranges.back().end = std::min(ranges.back().end, to.end);
}

}  // namespace vqscope
