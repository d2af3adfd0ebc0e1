// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/visible_keys.h"

#include "core/base/text.h"
#include "core/mask/mask.h"

namespace vqscope {

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
