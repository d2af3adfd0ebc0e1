// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/figure_session.h"

#include "core/catalogue/registry.h"
#include "core/io/embed/embedded_text.h"
#include "core/session/session_json.h"
#include "core/session/session_plan.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t most_embedded = std::size_t{1} << 20;  // such as a mask of a million cells

/// The values of side B that the views compare with `panel`; nothing: they are not compared.
std::optional<ParameterValues> other_side(std::span<const FigurePanel> panels, const FigurePanel& panel) {
  if (!panel.method->field()) return std::nullopt;
  for (const FigurePanel& each : panels)
    if (each.method == panel.method)
      if (auto minus = subtrahend(*each.method, each.look)) return minus;
  const auto is_other = [&](const FigurePanel& each) {
    return each.method == panel.method && each.values != panel.values;
  };
  const auto other = std::ranges::find_if(panels, is_other);
  return other == panels.end() ? std::nullopt : std::optional(other->values);
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
  page.view = panel.look.view;
  if (panel.cells)
    page.view = ViewRange{static_cast<double>(panel.cells->rows.begin), static_cast<double>(panel.cells->rows.end),
                          static_cast<double>(panel.cells->cols.begin), static_cast<double>(panel.cells->cols.end)};
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

}  // namespace

Session figure_session(std::span<const FigurePanel> panels) {
  Session session = default_session();
  // The last one that is shown stays in front.
  for (std::size_t i = panels.size(); i > 0; --i) show(session, panels, panels[i - 1]);
  return session;
}

std::string embedded_figure_session(std::span<const FigurePanel> panels) {
  const Session session = figure_session(panels);
  // Values that no page can have together show something else.
  if (const PageInfo* info = page_of(*panels.front().method); !info || session.current != info->id) return {};
  const std::string text = session_text(session);
  return text.size() > most_embedded ? std::string() : embedded_text(text);
}

}  // namespace vqscope
