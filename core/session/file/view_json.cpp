// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/file/view_json.h"

#include "core/method/value_json.h"

#include <limits>
#include <utility>

namespace vqscope {
namespace {

/// The two ends of a side of a view.
std::optional<std::pair<double, double>> ends_in(const ConfigValue* json) {
  static const ParameterSpec ends{.kind = ParameterKind::real_list,
                                  .default_value = std::vector<double>{},
                                  .minimum = std::numeric_limits<double>::lowest(),
                                  .maximum = std::numeric_limits<double>::max(),
                                  .most_items = 2};
  if (!json) return std::nullopt;
  const auto value = read_value(ends, *json);
  if (!value) return std::nullopt;
  const auto& reals = std::get<std::vector<double>>(*value);
  return reals.size() == 2 ? std::optional(std::pair(reals[0], reals[1])) : std::nullopt;
}

}  // namespace

JsonObject view_json(const ViewRange& view) {
  return {{"rows", std::vector{view.row_first, view.row_last}}, {"cols", std::vector{view.col_first, view.col_last}}};
}

std::optional<ViewRange> view_in(const ConfigValue& json) {
  const auto rows = ends_in(json.find("rows"));
  const auto cols = ends_in(json.find("cols"));
  if (!rows || !cols) return std::nullopt;
  const ViewRange view{rows->first, rows->second, cols->first, cols->second};
  return is_showable(view) ? std::optional(view) : std::nullopt;
}

}  // namespace vqscope
