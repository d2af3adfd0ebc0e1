// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/curve/curve_actions.h"

#include "widgets/parts/text.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/view/curve/curve_table.h"
#include "widgets/view/view_header.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QWidget>

#include <utility>

namespace vqscope {
namespace {

constexpr int offeredColours = 8;

QIcon swatch(const QColor& colour) {
  QPixmap pixmap(14, 14);
  pixmap.fill(colour);
  return pixmap;
}

}  // namespace

CurveActions::CurveActions(Parts parts)
    : QObject(&parts.view),
      m_view(parts.view),
      m_header(parts.header),
      m_plot(parts.plot),
      m_curves(parts.curves),
      m_isZoomed(std::move(parts.isZoomed)) {
  const auto add = [this](const QString& title) {
    auto* action = new QAction(title, this);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_view.addAction(action);
    return action;
  };
  m_copyData = add(tr("Copy data"));
  m_copyData->setShortcut(QKeySequence::Copy);
  m_copyData->setToolTip(tr("All points as tab-separated text, in full precision"));
  connect(m_copyData, &QAction::triggered, this,
          [this] { QApplication::clipboard()->setText(curvesAsText(m_curves.curves())); });
  m_tableCopies = curveCopyActions(&m_view, [this]() -> const CurveSet& { return m_curves.curves(); });
  m_view.addActions(m_tableCopies);
  m_copyPicture = add(tr("Copy picture"));
  connect(m_copyPicture, &QAction::triggered, this,
          [this] { QApplication::clipboard()->setPixmap(m_plot.toPixmap(0, 0, 2)); });
}

QMenu* CurveActions::makeMenu(const std::optional<std::size_t>& curve) {
  const bool any = !m_curves.curves().x.empty();
  for (auto* action : m_tableCopies + QList{m_copyData, m_copyPicture}) action->setEnabled(any);
  auto* menu = new QMenu(&m_view);
  menu->setToolTipsVisible(true);
  if (curve) {
    addEntries(*menu, *curve);
    menu->addSeparator();
  }
  menu->addActions(m_view.actions());
  if (m_curves.isMany()) addMultiples(*menu);
  if (m_curves.entries().size() > 1) menu->addMenu(listMenu(menu));
  menu->addSeparator();
  m_header.fillMenu(*menu, true);
  return menu;
}

void CurveActions::addEntries(QMenu& menu, std::size_t curve) {
  const QString name = text(m_curves.curves().curves[curve].name);
  menu.addAction(m_curves.isHidden(curve) ? tr("Show %1").arg(name) : tr("Hide %1").arg(name), this,
                 [this, curve] { toggle(curve); });
  menu.addAction(tr("Show only %1").arg(name), this, [this, curve] {
    m_curves.showOnly(curve);
    shown();
  });
  menu.addAction(tr("Show all curves"), this, [this] {
    m_curves.showAll();
    shown();
  });
  addColours(*menu.addMenu(tr("Colour")), curve);
}

void CurveActions::addMultiples(QMenu& menu) {
  QAction* action = menu.addAction(tr("Small multiples"), this, [this](bool on) {
    m_curves.setMultiples(on);
    m_plot.replot(QCustomPlot::rpQueuedReplot);
  });
  action->setCheckable(true);
  action->setChecked(m_curves.wantsMultiples());
  action->setToolTip(tr("One small plot for each curve, where there is room, instead of all curves in one"));
}

void CurveActions::addColours(QMenu& menu, std::size_t curve) {
  const auto choose = [this, curve](const std::optional<QColor>& colour) {
    m_curves.setColour(curve, colour);
    m_plot.replot(QCustomPlot::rpQueuedReplot);
  };
  menu.addAction(tr("Automatic"), this, [choose] { choose(std::nullopt); });
  const QStringList names{tr("Blue"),   tr("Orange"), tr("Green"), tr("Red"),
                          tr("Violet"), tr("Teal"),   tr("Grey"),  tr("Black or white")};
  const Palette& p = currentPalette();
  const QColor colours[offeredColours] = {p.accent, p.warning, p.good, p.error, p.violet, p.teal, p.secondary, p.text};
  for (int i = 0; i < offeredColours; ++i)
    menu.addAction(swatch(colours[i]), names[i], this, [choose, colour = colours[i]] { choose(colour); });
}

/// For those who do not click on the legend.
QMenu* CurveActions::listMenu(QMenu* parent) {
  auto* menu = new QMenu(tr("Curves"), parent);
  for (const std::size_t curve : m_curves.entries()) {
    QAction* action =
        menu->addAction(text(m_curves.curves().curves[curve].name), this, [this, curve] { toggle(curve); });
    action->setCheckable(true);
    action->setChecked(!m_curves.isHidden(curve));
  }
  menu->addSeparator();
  menu->addAction(tr("Show all curves"), this, [this] {
    m_curves.showAll();
    shown();
  });
  return menu;
}

void CurveActions::toggle(std::size_t curve) {
  m_curves.setHidden(curve, !m_curves.isHidden(curve));
  shown();
}

void CurveActions::shown() {
  if (!m_isZoomed()) m_curves.fit();
  m_plot.replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace vqscope
