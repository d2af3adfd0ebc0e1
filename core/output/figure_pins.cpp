// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/figure_pins.h"

#include "core/catalogue/registry.h"
#include "core/session/resolve.h"
#include "core/session/subject/token_texts.h"

namespace vqscope {
namespace {

ParameterValues usual_lint(const Method& method) {
  const PageInfo* page = page_of(method);
  return page ? default_values(page_lint(*page)) : ParameterValues();
}

}  // namespace

PinnedView pin_of(const FigurePanel& panel) {
  const Method& method = *panel.method;
  PinnedView pin{.method = method.id, .values = panel.values, .minus = subtrahend(method, panel.look)};
  pin.sides = panel.sides;
  pin.labels = panel.labels;
  if (const TokenAxes axes = token_axes(method, panel.values); axes.rows || axes.cols) pin.tokens = panel.tokens;
  if (!method.field()) {
    if (const auto axes = panel.look.axes.find(method.id); axes != panel.look.axes.end()) pin.axes = axes->second;
    return pin;
  }
  pin.aggregate = panel.look.aggregate;
  if (!pin.minus) pin.colour_map = panel.look.colour_map;
  pin.keep_aspect = panel.look.keep_aspect;
  if (panel.look.method == method.id) pin.lint = different(panel.look.lint, usual_lint(method));
  pin.view = panel.cells ? std::optional(view_of(*panel.cells)) : panel.look.view;
  return pin;
}

FigurePanel panel_of(const PinnedView& pin) {
  FigurePanel panel{.method = find_method(pin.method), .values = pin.values};
  panel.sides = pin.sides;
  panel.tokens = pin.tokens;
  panel.labels = pin.labels;
  ShownPage& look = panel.look;
  look.method = pin.method;
  if (!pin.lint.map().empty()) look.lint = usual_lint(*panel.method);
  for (const auto& [name, value] : pin.lint.map()) look.lint.set(name, value);
  look.view = pin.view;
  look.aggregate = pin.aggregate;
  look.colour_map = pin.colour_map;
  look.keep_aspect = pin.keep_aspect;
  if (pin.axes) look.axes[pin.method] = *pin.axes;
  if (pin.minus) {
    look.compare = CompareMode::difference;
    look.other = *pin.minus;
  }
  return panel;
}

}  // namespace vqscope
