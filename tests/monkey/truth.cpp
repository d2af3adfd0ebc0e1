// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/truth.h"

#include "core/catalogue/registry.h"
#include "tests/monkey/act/hands.h"
#include "widgets/mask/checks/lint_panel.h"
#include "widgets/mask/row/row_debugger.h"
#include "widgets/panel/inspector_panel.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/view/compared_fields.h"
#include "widgets/view/linked_maps.h"
#include "widgets/view/overlay.h"
#include "widgets/view/view_header.h"

#include <QLabel>

#include <algorithm>
#include <cmath>

namespace vqscope::monkey {
namespace {

constexpr int cellsCompared = 40;
constexpr Index mostCells = Index{1} << 26;  // of a field that is made for the comparison

bool claimsExact(const ViewHeader& header) {
  for (const auto* label : header.findChildren<QLabel*>())
    if (label->isVisible() && label->property("class").toString() == QLatin1String("badge"))
      return label->text() == QLatin1String("exact");
  return false;
}

/// Errors shown in a form; empty: none.
QString errorIn(const QWidget& form) {
  for (const auto* label : form.findChildren<QLabel*>())
    if (label->isVisible() && label->property("class").toString() == QLatin1String("error")) return label->text();
  return {};
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

std::optional<Cell> firstDifference(const Field& shown, const Field& truth, Chance& chance) {
  const Extent extent = truth.extent();
  for (int i = 0; i < cellsCompared; ++i) {
    const Cell cell{chance.index(extent.rows), chance.index(extent.cols)};
    if (!same(shown.at(cell.row, cell.col), truth.at(cell.row, cell.col))) return cell;
  }
  return std::nullopt;
}

/// Error of a map that shows `side`; empty: none.
QString wrongWith(MatrixView& view, const ComparedFields::Side& side, Chance& chance) {
  const auto& shown = view.content().field;
  if (!shown || !claimsExact(*view.header())) return {};
  const auto truth = make_field(*side.method, carried_values(*side.method, side.values));
  const QString name = QString::fromStdString(side.method->id);
  if (!truth) return QStringLiteral("%1 is exact, of values that are refused").arg(name);
  if (!((*truth)->extent() == shown->extent())) return QStringLiteral("%1 is exact, of another size").arg(name);
  if (const auto picture = view.picture(); picture && picture->request.field != shown)
    return QStringLiteral("%1 is exact, and its picture is of another field").arg(name);
  const auto cell = firstDifference(*shown, **truth, chance);
  if (!cell) return {};
  return QStringLiteral("%1 is exact, and cell (%2, %3) is another").arg(name).arg(cell->row).arg(cell->col);
}

}  // namespace

QStringList falseMaps(MainWindow& window, Chance& chance) {
  const auto* maps = window.currentPage()->findChild<LinkedMaps*>();
  const auto extent = window.currentPage()->extent();
  const ShownPage& state = window.workbench().current();
  if (!maps || !extent || state.compare == CompareMode::difference) return {};
  if (extent->rows > mostCells / std::max<Index>(extent->cols, 1)) return {};
  const auto sides = ComparedFields::sidesOf(state);
  const auto views = maps->shown();
  QStringList wrong;
  for (std::size_t i = 0; i < std::min(sides.size(), views.size()); ++i)
    if (const QString each = wrongWith(*views[i], sides[i], chance); !each.isEmpty()) wrong << each;
  return wrong;
}

QStringList unmarked(MainWindow& window) {
  const PageWidget& page = *window.currentPage();
  const Freshness now = page.freshness();
  QStringList wrong;
  if (now.isCurrent()) {
    const QString error = errorIn(*window.currentPanel());
    if (!error.isEmpty()) wrong << QStringLiteral("current, with an error in the form: %1").arg(error.left(100));
    return wrong;
  }
  // Each view of a measurement on request states whether it belongs to these values.
  if (now.isOnRequest) return wrong;
  for (const auto* header : page.findChildren<ViewHeader*>())
    if (header->isVisible() && claimsExact(*header)) wrong << QStringLiteral("a view is exact, of former values");
  const std::initializer_list<const QWidget*> beside{window.rowDebugger(), window.findChild<InspectorPanel*>(),
                                                     window.findChild<LintPanel*>()};
  for (const QWidget* panel : beside)
    for (const auto* overlay : panel->findChildren<Overlay*>())
      if (panel->isVisible() && overlay->freshness().isCurrent())
        wrong << QStringLiteral("%1 is not marked, of former values").arg(describe(panel));
  return wrong;
}

}  // namespace vqscope::monkey
