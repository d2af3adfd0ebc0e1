// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/keyboard_focus.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QEvent>
#include <QKeyEvent>
#include <QLayout>
#include <QTabBar>
#include <QTimer>
#include <QWidget>

#include <utility>

namespace vqscope {
namespace {

void addAll(QWidget& widget, QList<QWidget*>& all);

void addLayout(const QLayout& layout, QList<QWidget*>& all) {
  for (int i = 0; i < layout.count(); ++i) {
    const QLayoutItem* item = layout.itemAt(i);
    if (const auto* inner = const_cast<QLayoutItem*>(item)->layout())
      addLayout(*inner, all);
    else if (QWidget* widget = item->widget())
      addAll(*widget, all);
  }
}

void addAll(QWidget& widget, QList<QWidget*>& all) {
  if (all.contains(&widget)) return;
  all.append(&widget);
  if (widget.layout()) addLayout(*widget.layout(), all);
  // Those without a place in the layout, such as the content of a scroll area, in the order of
  // their making.
  for (auto* child : widget.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
    if (!child->isWindow()) addAll(*child, all);
}

bool isHiddenFocus() {
  const QWidget* focus = QApplication::focusWidget();
  return focus && !focus->isVisible();
}

void leaveHidden() {
  if (isHiddenFocus()) QApplication::focusWidget()->clearFocus();
}

}  // namespace

QList<QWidget*> readingOrder(QWidget& root) {
  QList<QWidget*> all;
  addAll(root, all);
  return all;
}

TabOrder::TabOrder(QWidget& root) : QObject(&root), m_root(root) { root.installEventFilter(this); }

bool TabOrder::eventFilter(QObject* watched, QEvent* event) {
  const bool changed = event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show;
  if (watched == &m_root && changed && !std::exchange(m_waiting, true)) QTimer::singleShot(0, this, &TabOrder::apply);
  return false;
}

void TabOrder::apply() {
  m_waiting = false;
  QList<QPointer<QWidget>> stops;
  for (QWidget* widget : readingOrder(m_root))
    if (widget->focusPolicy() & Qt::TabFocus && !widget->focusProxy()) stops.append(widget);
  if (stops == m_applied) return;
  m_applied = stops;
  for (qsizetype i = 1; i < stops.size(); ++i) QWidget::setTabOrder(stops[i - 1], stops[i]);
}

MenuKey::MenuKey(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool MenuKey::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress || watched != QApplication::focusWidget()) return false;
  const auto* key = static_cast<QKeyEvent*>(event);
  if (key->key() != Qt::Key_F10 || key->modifiers() != Qt::ShiftModifier) return false;
  auto* widget = static_cast<QWidget*>(watched);
  const QPoint at = widget->rect().center();
  QContextMenuEvent menu(QContextMenuEvent::Keyboard, at, widget->mapToGlobal(at));
  QCoreApplication::sendEvent(widget, &menu);
  return true;
}

FocusGuard::FocusGuard(QObject* parent) : QObject(parent) {
  connect(qApp, &QApplication::focusChanged, this, &leaveHidden);
  qApp->installEventFilter(this);
}

bool FocusGuard::eventFilter(QObject*, QEvent* event) {
  // After the event, because Qt may still move the focus.
  if (event->type() == QEvent::Hide && isHiddenFocus()) QTimer::singleShot(0, this, &leaveHidden);
  return false;
}

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
  // QMainWindow leaves a bar without tabs where it was when its docks go to another side. As with
  // a bar of one tab, whose dock needs none, it belongs outside of the window.
  if (m_tabs->count() == 0 && m_tabs->x() + m_tabs->width() > 0) m_tabs->move(-m_tabs->width() - 500, -500);
  const bool seen = m_tabs->count() > 0 && m_tabs->parentWidget()->rect().intersects(m_tabs->geometry());
  m_tabs->setFocusPolicy(seen ? Qt::TabFocus : Qt::NoFocus);
}

}  // namespace vqscope
