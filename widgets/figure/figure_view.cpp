// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure/figure_view.h"

#include "core/base/text.h"
#include "core/field/tile_grid.h"
#include "core/output/figure_pins.h"
#include "widgets/export/panel_plot.h"
#include "widgets/parts/text.h"
#include "widgets/plot/title/compared_title.h"

#include <QObject>

#include <utility>

namespace vqscope {
namespace {

FigureView viewOf(const ExportTarget& target, ShownPage look, const TokenTexts& tokens) {
  look.view.reset();  // the editor chooses the part
  FigureView view;
  view.panel.method = target.method;
  view.panel.values = target.values;
  view.panel.look = std::move(look);
  view.panel.tokens = tokens;
  view.panel.made.curves = target.curves;
  view.panel.made.coming = target.coming;
  view.visible = target.view;
  view.name = target.name.empty() ? ownTitleOf(view) : text(target.name) + QStringLiteral(" · ") + ownTitleOf(view);
  return view;
}

/// A, B and A − B of a comparison of matrices.
std::vector<FigureView> sidesOfComparison(const ExportTarget& a, const ShownPage& look, const TokenTexts& tokens) {
  const ComparedTitle title = comparedTitle(*a.method, a.values, carried_values(*a.method, look.other));
  ShownPage alone = look;
  alone.compare = CompareMode::none;
  ShownPage difference = look;
  difference.compare = CompareMode::difference;
  ExportTarget b = a;
  b.values = carried_values(*a.method, look.other);
  std::vector<FigureView> views{viewOf(a, alone, tokens), viewOf(b, alone, tokens), viewOf(a, difference, tokens)};
  // Sides without names of their own have those of their views.
  const bool isNamed = title.a != QLatin1String("A") && title.b != QLatin1String("B");
  const auto nameOf = [&](const FigureView& view, const QString& side) { return isNamed ? side : ownTitleOf(view); };
  views[0].name = QStringLiteral("A: ") + nameOf(views[0], title.a);
  views[1].name = QStringLiteral("B: ") + nameOf(views[1], title.b);
  views[2].name = isNamed ? QStringLiteral("A − B: ") + title.difference() : ownTitleOf(views[2]);
  return views;
}

}  // namespace

Rect cellsIn(const ViewRange& view, Extent extent) {
  return {cells_in(view.row_first, view.row_last, extent.rows), cells_in(view.col_first, view.col_last, extent.cols)};
}

std::vector<FigureView> figureViews(const std::vector<ExportTarget>& targets, std::size_t asked, const ShownPage& look,
                                    const TokenTexts& tokens) {
  std::vector<FigureView> views;
  const bool compares =
      look.compare != CompareMode::none && !targets.empty() && targets.front().method->field() != nullptr;
  if (compares) {
    views = sidesOfComparison(targets.front(), look, tokens);
    const bool isDifference = look.compare == CompareMode::difference;
    for (std::size_t i = 0; i < views.size(); ++i)
      views[i].isChosen = targets[asked].method->field() && isDifference == (i == 2);
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (compares && targets[i].method->field()) continue;
    views.push_back(viewOf(targets[i], look, tokens));
    views.back().isChosen = i == asked;
  }
  return views;
}

FigureView figureView(const PinnedView& pin) {
  FigureView view;
  view.panel = panel_of(pin);
  view.visible = std::exchange(view.panel.look.view, std::nullopt);
  view.part = view.visible ? FigurePart::visible : FigurePart::whole;
  view.name = ownTitleOf(view);
  view.isPinned = true;
  return view;
}

/// A block that is not typed to its end is not kept.
PinnedView pinOf(const FigureView& view) {
  PinnedView pin = pin_of(view.panel);
  if (const auto cells = cellsOf(view); cells && *cells)
    pin.view = view_of(**cells);
  else if (view.part == FigurePart::visible)
    pin.view = view.visible;
  return pin;
}

Result<Range> parseRange(const QString& given, Index count, const QString& name) {
  const std::string whole = given.trimmed().toStdString();
  const auto parts = split(whole, ':');
  const auto bad = [&] {
    return invalid(name.toStdString() + " is " + (whole.empty() ? "empty" : shortened(whole)) +
                   " but must be begin:end within 0:" + to_text(count));
  };
  if (parts.size() != 2) return bad();
  const auto begin = trimmed(parts[0]).empty() ? std::optional<Index>(0) : parse_count(parts[0]);
  const auto end = trimmed(parts[1]).empty() ? std::optional(count) : parse_count(parts[1]);
  if (!begin || !end || *begin < 0 || *end > count || *begin >= *end) return bad();
  return Range{*begin, *end};
}

Result<std::optional<Rect>> cellsOf(const FigureView& view) {
  const auto& field = view.panel.made.field;
  if (!field || view.part == FigurePart::whole) return std::optional<Rect>();
  const Extent extent = field->extent();
  if (view.part == FigurePart::visible && view.visible) return std::optional(cellsIn(*view.visible, extent));
  if (view.part == FigurePart::visible) return std::optional<Rect>();
  const auto rows = parseRange(view.rows, extent.rows, QObject::tr("rows"));
  if (!rows) return rows.error();
  const auto cols = parseRange(view.cols, extent.cols, QObject::tr("columns"));
  if (!cols) return cols.error();
  return std::optional(Rect{*rows, *cols});
}

Result<FigurePanel> panelOf(const FigureView& view) {
  const auto cells = cellsOf(view);
  if (!cells) return cells.error();
  FigurePanel panel = view.panel;
  panel.cells = *cells;
  if (view.part == FigurePart::visible && !panel.made.field) panel.look.view = view.visible;
  return panel;
}

QString ownTitleOf(const FigureView& view) {
  const FigurePanel& panel = view.panel;
  return figureTitle(*panel.method, panel.values, subtrahend(*panel.method, panel.look), panel.sides);
}

}  // namespace vqscope
