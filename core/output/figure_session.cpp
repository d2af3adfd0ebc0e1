// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/figure_session.h"

#include "core/catalogue/registry.h"
#include "core/io/embed/embedded_text.h"
#include "core/output/figure_pins.h"
#include "core/session/session_json.h"
#include "core/session/session_plan.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t most_embedded = std::size_t{1} << 20;  // such as a mask of a million cells

/// The values of side B that the views compare with `panel`; nothing: they are not compared, or
/// there are more than two.
std::optional<ParameterValues> other_side(std::span<const FigurePanel> panels, const FigurePanel& panel) {
  if (!panel.method->field()) return std::nullopt;
  std::vector<ParameterValues> others;
  for (const FigurePanel& each : panels) {
    if (each.method != panel.method) continue;
    const auto minus = subtrahend(*each.method, each.look);
    for (const ParameterValues& values : {each.values, minus.value_or(each.values)})
      if (values != panel.values && std::ranges::count(others, values) == 0) others.push_back(values);
  }
  return others.size() == 1 ? std::optional(others.front()) : std::nullopt;
}

bool shows_difference(std::span<const FigurePanel> panels) {
  return panels.size() == 1 && subtrahend(*panels[0].method, panels[0].look).has_value();
}

void apply_look(const FigurePanel& panel, ShownPage& page) {
  page.aggregate = panel.look.aggregate;
  page.colour_map = panel.look.colour_map;
  page.keep_aspect = panel.look.keep_aspect;
  if (const auto axes = panel.look.axes.find(panel.method->id); axes != panel.look.axes.end())
    page.axes[panel.method->id] = axes->second;
  page.view = panel.cells ? std::optional(view_of(*panel.cells)) : panel.look.view;
}

/// Curves stand beside the map of a page if they explain it, or are pinned there.
void pin(const Method& curves, ShownPage& page) {
  const Method* shown = find_method(page.method);
  const auto pinnable = pinnable_curves();
  if (!shown || !shown->field() || std::ranges::count(pinnable, &curves) == 0) return;
  if (std::ranges::count(shown->field()->related, curves.id) == 0) page.pinned = {curves.id};
}

/// Shows a view on the page of its method.
void show(Session& session, std::span<const FigurePanel> panels, const FigurePanel& panel) {
  const PageInfo* info = page_of(*panel.method);
  if (!info) return;
  const auto plan = plan_view(ShownPages(session), info->id, *panel.method, panel.values, PageSide::a);
  if (!plan) return;
  ShownPage page = plan->page;
  apply_look(panel, page);
  if (panel.method->curves()) pin(*panel.method, page);
  if (const auto other = other_side(panels, panel)) {
    page.compare = shows_difference(panels) ? CompareMode::difference : CompareMode::side_by_side;
    page.other = page.values;
    for (const auto& [name, value] : other->map()) page.other.set(name, value);
  }
  session.current = info->id;
  session.subject = plan->subject;
  if (!panel.tokens.empty()) session.subject.tokens = panel.tokens;
  *find_page(session, info->id) = kept_page(page);
  for (const PageState& each : plan->others) *find_page(session, each.id) = each;
}

/// Whether the views are more than their pages show.
bool needs_pins(std::span<const FigurePanel> panels) {
  return panels.size() > 1 || panels.front().labels != FigureLabels();
}

std::string session_text_within(const Session& session, std::size_t most) {
  std::string text = session_text(session);
  return text.size() > most ? std::string() : text;
}

}  // namespace

Session figure_session(std::span<const FigurePanel> panels, const FigureSpec& spec) {
  Session session = default_session();
  // The last one that is shown stays in front.
  for (std::size_t i = panels.size(); i > 0; --i) show(session, panels, panels[i - 1]);
  session.figure = spec;
  if (needs_pins(panels))
    for (const FigurePanel& panel : panels) session.pins.push_back(pin_of(panel));
  return session;
}

std::string embedded_figure_session(std::span<const FigurePanel> panels, const FigureSpec& spec) {
  Session session = figure_session(panels, spec);
  // Values that no page can have together show something else.
  const PageInfo* info = page_of(*panels.front().method);
  const bool is_shown = info && session.current == info->id;
  if (!is_shown && session.pins.empty()) return {};
  std::string text = session_text_within(session, most_embedded);
  if (text.empty() && is_shown) {
    session.pins.clear();
    text = session_text_within(session, most_embedded);
  }
  return text.empty() ? text : embedded_text(text);
}

}  // namespace vqscope
