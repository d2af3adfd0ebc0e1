// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/figure/view_look.h"

#include <cmath>

namespace vqscope {

const std::vector<std::string>& aggregate_names() {
  static const std::vector<std::string> all{"automatic", "mean", "min", "max", "largest"};
  return all;
}

std::vector<Aggregate> aggregates_of(const Method& method, bool difference) {
  if (method.field()->scale != ValueScale::categorical)
    return {Aggregate::automatic, Aggregate::mean, Aggregate::min, Aggregate::max, Aggregate::largest};
  if (difference) return {Aggregate::automatic, Aggregate::min, Aggregate::max, Aggregate::largest};
  return {Aggregate::automatic, Aggregate::min, Aggregate::max};
}

std::span<const std::string> colour_map_ids() {
  static const std::vector<std::string> all{"viridis", "cividis", "magma", "diverging", "twilight"};
  return all;
}

ViewRange view_of(const Rect& cells) {
  return {static_cast<double>(cells.rows.begin), static_cast<double>(cells.rows.end),
          static_cast<double>(cells.cols.begin), static_cast<double>(cells.cols.end)};
}

bool is_showable(const ViewRange& view) {
  constexpr double farthest = 0x1p34;  // beyond every matrix
  const auto near = [&](double end) { return std::abs(end) <= farthest; };
  return near(view.row_first) && near(view.row_last) && near(view.col_first) && near(view.col_last) &&
         view.row_first < view.row_last && view.col_first < view.col_last;
}

}  // namespace vqscope
