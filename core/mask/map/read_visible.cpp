// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/read_visible.h"

#include "core/base/text.h"

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

std::shared_ptr<const Mask> mask_of(const std::shared_ptr<const Field>& field) {
  const Mask* mask = field ? field->mask() : nullptr;
  return mask ? std::shared_ptr<const Mask>(field, mask) : nullptr;
}

Result<CurveSet> visible_keys(const Field& field, Range rows, Index points, std::stop_token stop) {
  const Mask* mask = field.mask();
  if (!mask || mask->extent() != field.extent())
    return invalid("visible keys are counted for masks only; this matrix is not a mask");
  const auto edges = even_edges(rows, points);
  CurveSet set{.x_name = "q", .x_title = "query position q", .y_title = "visible keys"};
  set.x = middles(edges);
  set.exact = set.integer = static_cast<Index>(edges.size()) - 1 == rows.size();
  set.curves = {{"keys", {}}};
  CountBudget budget{.left = most_steps_of_an_answer, .stop = stop};
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const Range segment{edges[i], edges[i + 1]};
    const auto keys = visible_count(*mask, segment, budget);
    const double part = static_cast<double>(segment.begin - rows.begin) / static_cast<double>(rows.size());
    if (!keys)
      return budget.error("counting the visible keys beyond row " + to_text(segment.begin), budget.steps_of_all(part));
    set.curves[0].y.push_back(static_cast<double>(*keys) / static_cast<double>(segment.size()));
  }
  return set;
}

}  // namespace vqscope
