// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/read_visible.h"

#include <algorithm>
#include <cassert>

namespace vqscope {

bool read_visible(const Mask& mask, const Rect& block, CountBudget& budget, CellSpan out) {
  return std::visit(
      [&](auto cells) {
        using Cell = typename decltype(cells)::value_type;
        assert(cells.size() == block.area());
        std::fill(cells.begin(), cells.end(), Cell{0});
        // A row that alternates has no more intervals in so many keys than read_row() gives.
        constexpr auto keys_at_once = static_cast<Index>(most_row_intervals);
        std::vector<Range> intervals;
        Cell* line = cells.data();
        for (Index row = block.rows.begin; row < block.rows.end; ++row, line += block.cols.size())
          for (Index begin = block.cols.begin; begin < block.cols.end; begin += keys_at_once) {
            const Range some{begin, std::min(block.cols.end, begin + keys_at_once)};
            if (!mask.read_row(row, some, budget, intervals)) return false;
            for (const Range& seen : intervals)
              std::fill_n(line + (seen.begin - block.cols.begin), seen.size(), Cell{1});
          }
        return true;
      },
      out);
}

}  // namespace vqscope
