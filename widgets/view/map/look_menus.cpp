// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/map/look_menus.h"

#include "widgets/paint/colour_map.h"
#include "widgets/parts/text.h"
#include "widgets/view/map/map_actions.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>

namespace vqscope {

LookMenus::LookMenus(QWidget* parent) : QObject(parent) {
  m_aggregate = addMenu(tr("Pixel shows"));
  for (std::size_t i = 0; i < aggregate_names().size(); ++i)
    connect(addChoice(*m_aggregate, text(std::string(aggregate_names()[i]))), &QAction::triggered, this,
            [this, i] { emit aggregateChosen(static_cast<Aggregate>(i)); });
  m_colours = addMenu(tr("Colours"));
  connect(addChoice(*m_colours, tr("automatic")), &QAction::triggered, this, [this] { emit coloursChosen({}); });
  for (const ColourMap& map : colourMaps()) {
    QAction* choice = addChoice(*m_colours, map.title());
    choice->setData(text(map.id()));
    connect(choice, &QAction::triggered, this, [this, id = map.id()] { emit coloursChosen(std::string(id)); });
  }
  m_compare = addMenu(tr("Compare"));
  const QStringList modes{tr("nothing"), tr("A beside B"), tr("A − B")};
  for (qsizetype i = 0; i < modes.size(); ++i)
    connect(addChoice(*m_compare, modes[i]), &QAction::triggered, this,
            [this, i] { emit compareChosen(static_cast<CompareMode>(i)); });
  m_curves = new QMenu(tr("Pin a curve"), parent);
  m_square = new QAction(tr("Square cells"), this);
  m_square->setCheckable(true);
  connect(m_square, &QAction::triggered, this, &LookMenus::squareChosen);
}

QMenu* LookMenus::addMenu(const QString& title) {
  auto* menu = new QMenu(title, static_cast<QWidget*>(parent()));
  (new QActionGroup(menu))->setExclusive(true);
  return menu;
}

QAction* LookMenus::addChoice(QMenu& menu, const QString& title) {
  QAction* choice = menu.addAction(title);
  choice->setCheckable(true);
  menu.findChild<QActionGroup*>()->addAction(choice);
  return choice;
}

void LookMenus::setLook(const Look& look) {
  for (int i = 0; i < m_aggregate->actions().size(); ++i)
    m_aggregate->actions()[i]->setEnabled(std::ranges::count(look.offered, static_cast<Aggregate>(i)) > 0);
  m_aggregate->actions()[static_cast<int>(look.aggregate)]->setChecked(true);
  m_compare->actions()[static_cast<int>(look.compare)]->setChecked(true);
  for (QAction* choice : m_colours->actions())
    if (choice->data().toString() == text(look.colourMap)) choice->setChecked(true);
  m_square->setChecked(look.square);
}

void LookMenus::setCurves(const std::vector<PinnedCurve>& curves) {
  m_curves->clear();
  QMenu* group = nullptr;
  for (const auto& curve : curves) {
    if (!group || group->title() != curve.group) group = m_curves->addMenu(curve.group);
    QAction* choice = group->addAction(curve.title);
    choice->setCheckable(true);
    choice->setChecked(curve.pinned);
    connect(choice, &QAction::triggered, this, [this, id = curve.id](bool on) { emit curvePinned(id, on); });
  }
}

void LookMenus::addTo(MapActions& map) {
  for (QMenu* menu : menus()) map.addHostAction(menu->menuAction());
  map.addHostAction(m_square);
}

}  // namespace vqscope
