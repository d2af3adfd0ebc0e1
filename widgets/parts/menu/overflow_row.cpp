// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/menu/overflow_row.h"

#include "widgets/parts/parts.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QScopedValueRollback>
#include <QToolButton>

#include <algorithm>

namespace vqscope {
namespace {

/// An entry that does what a click on the button does, unless the menu has its action already.
void addEntry(QMenu& menu, QAbstractButton& button) {
  const auto* tool = qobject_cast<QToolButton*>(&button);
  if (tool && tool->defaultAction()) {
    if (!menu.actions().contains(tool->defaultAction())) menu.addAction(tool->defaultAction());
    return;
  }
  const QString title = button.text().isEmpty() ? button.toolTip() : button.text();
  QAction* entry = menu.addAction(button.icon(), title, &button, &QAbstractButton::click);
  entry->setCheckable(button.isCheckable());
  entry->setChecked(button.isChecked());
  entry->setEnabled(button.isEnabled());
}

}  // namespace

OverflowRow::OverflowRow(QWidget* parent)
    : QWidget(parent), m_row(new QHBoxLayout(this)), m_more(new QToolButton(this)) {
  m_row->setContentsMargins(0, 0, 0, 0);
  m_row->setSizeConstraint(QLayout::SetNoConstraint);  // minimumSizeHint() knows that buttons can leave
  m_more->setText(QStringLiteral("…"));
  m_more->setToolTip(tr("More"));
  m_more->setAccessibleName(tr("More buttons"));
  m_more->setAutoRaise(true);
  m_more->setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(m_more);
  menu->setToolTipsVisible(true);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] {
    menu->clear();
    fillMenu(*menu, false);
  });
  setPopup(m_more, menu);
  m_more->hide();
  m_row->addWidget(m_more);
}

void OverflowRow::addFixed(QWidget* widget, int segment) {
  m_fixed.push_back(widget);
  m_row->insertWidget(m_row->count() - 1, widget, segment);
}

void OverflowRow::addButton(QAbstractButton* button, Leaves leaves) {
  m_entries.push_back({button, leaves});
  m_row->insertWidget(m_row->count() - 1, button);
  // QToolButton takes the focus by Tab only, which leaves the focus of a click where it is.
  if (button->focusPolicy() == Qt::NoFocus) button->setFocusPolicy(Qt::TabFocus);
  arrange();
}

QToolButton* OverflowRow::addTool(QAction* action, Leaves leaves) {
  auto* button = new QToolButton(this);
  button->setDefaultAction(action);
  button->setAutoRaise(true);
  button->setAccessibleName(action->toolTip());
  addButton(button, leaves);
  return button;
}

void OverflowRow::setOffered(QAbstractButton* button, bool offered) {
  const auto entry = std::ranges::find(m_entries, button, &Entry::button);
  if (entry == m_entries.end() || entry->offered == offered) return;
  entry->offered = offered;
  button->setVisible(offered);
  arrange();
}

void OverflowRow::fillMenu(QMenu& menu, bool all) const {
  for (const Entry& entry : m_entries)
    if (entry.offered && (all || entry.inMenu)) addEntry(menu, *entry.button);
}

int OverflowRow::widthOf(const QWidget& button) const {
  return button.sizeHint().expandedTo(button.minimumSize()).boundedTo(button.maximumSize()).width() + m_row->spacing();
}

int OverflowRow::fixedWidth() const {
  int width = 0;
  for (QWidget* widget : m_fixed)
    if (!widget->isHidden()) width += QWidgetItem(widget).minimumSize().width() + m_row->spacing();
  return width;
}

OverflowRow::Entry* OverflowRow::nextToLeave() {
  for (const Leaves leaves : {Leaves::first, Leaves::last})
    for (std::size_t i = m_entries.size(); i-- > 0;) {
      Entry& entry = m_entries[i];
      if (entry.offered && !entry.inMenu && entry.leaves == leaves) return &entry;
    }
  return nullptr;
}

void OverflowRow::arrange() {
  if (m_arranging) return;
  const QScopedValueRollback arranging(m_arranging, true);
  const QMargins margins = m_row->contentsMargins();
  int room = width() - margins.left() - margins.right() - fixedWidth();
  for (Entry& entry : m_entries) {
    entry.inMenu = false;
    if (entry.offered) room -= widthOf(*entry.button);
  }
  bool more = false;
  while (room < 0) {
    Entry* leaving = nextToLeave();
    if (!leaving) break;
    leaving->inMenu = true;
    room += widthOf(*leaving->button);
    if (!std::exchange(more, true)) room -= widthOf(*m_more);
  }
  for (const Entry& entry : m_entries) entry.button->setVisible(entry.offered && !entry.inMenu);
  m_more->setVisible(more);
  onArranged();
}

QSize OverflowRow::minimumSizeHint() const {
  QSize least = QWidget::minimumSizeHint();
  const QMargins margins = m_row->contentsMargins();
  least.setWidth(margins.left() + margins.right() + fixedWidth() + (m_entries.empty() ? 0 : widthOf(*m_more)));
  return least;
}

void OverflowRow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

/// Texts and fonts of the buttons may have changed.
bool OverflowRow::event(QEvent* event) {
  const bool done = QWidget::event(event);
  if (event->type() == QEvent::LayoutRequest) arrange();
  return done;
}

}  // namespace vqscope
