// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/bars/dock_tabs.h"

#include <QEvent>
#include <QTabBar>

namespace vqscope {

DockTabs::DockTabs(QTabBar* tabs) : QObject(tabs), m_tabs(tabs) {
  // QTabBar does not expect that its bar disappears with the page during a drag.
  tabs->setMovable(false);
  tabs->installEventFilter(this);
  update();
}

bool DockTabs::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Move || event->type() == QEvent::Resize || event->type() == QEvent::Show) update();
  return QObject::eventFilter(watched, event);
}

void DockTabs::update() {
  const bool seen = m_tabs->count() > 0 && m_tabs->parentWidget()->rect().intersects(m_tabs->geometry());
  m_tabs->setFocusPolicy(seen ? Qt::TabFocus : Qt::NoFocus);
}

}  // namespace vqscope
