// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/figure/pinned_view.h"

#include "core/base/sentence.h"
#include "core/catalogue/registry.h"
#include "core/session/subject/subject_tensors.h"

#include <algorithm>

namespace vqscope {
namespace {

Result<void> check_values(const Method& method, const ParameterValues& values) {
  auto checked = check_method_values(method, values);
  return checked || shows_tensors(values) ? Result<void>() : checked;
}

Result<void> check_labels(const FigureLabels& labels) {
  for (const auto& [name, label] : {std::pair{"title", &labels.title}, {"x_label", &labels.x}, {"y_label", &labels.y}})
    if (label->size() > longest_figure_label)
      return invalid("{} has {} bytes but must have at most {}", name, label->size(), longest_figure_label);
  return {};
}

Result<void> check_matrix(const Method& method, const PinnedView& pin) {
  if (!method.field()) {
    const bool is_plain = !pin.minus && !pin.view && pin.aggregate == Aggregate::automatic && pin.colour_map.empty();
    return is_plain ? Result<void>() : invalid("{} is a set of curves, which has no look of a matrix", method.id);
  }
  if (pin.view && !is_showable(*pin.view)) return invalid("view must have ascending numbers for rows and for cols");
  if (std::ranges::count(aggregates_of(method, pin.minus.has_value()), pin.aggregate) == 0)
    return invalid("aggregate is {}, which {} does not have",
                   aggregate_names()[static_cast<std::size_t>(pin.aggregate)], method.id);
  if (!pin.colour_map.empty() && std::ranges::count(colour_map_ids(), pin.colour_map) == 0)
    return invalid("unknown colour map {}", shortened(pin.colour_map));
  return {};
}

}  // namespace

Result<void> check_pinned(const PinnedView& pin) {
  const auto method = require_method(pin.method);
  if (!method) return method.error();
  if (!(*method)->field() && !(*method)->curves()) return invalid("{} is no matrix and no curves", pin.method);
  if (auto checked = check_values(**method, pin.values); !checked) return checked;
  if (auto checked = check_matrix(**method, pin); !checked) return checked;
  if (pin.minus)
    if (auto checked = check_values(**method, *pin.minus); !checked) return checked;
  if (auto checked = check_token_texts(pin.tokens); !checked) return checked;
  return check_labels(pin.labels);
}

Result<void> check_pins(std::span<const PinnedView> pins) {
  if (pins.size() > most_pinned_views)
    return invalid("there are {} pinned views but must be at most {}", pins.size(), most_pinned_views);
  for (const PinnedView& pin : pins)
    if (auto checked = check_pinned(pin); !checked) return checked;
  return {};
}

}  // namespace vqscope
