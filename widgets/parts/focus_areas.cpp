// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/focus_areas.h"

#include "widgets/parts/keyboard_focus.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QToolBar>

#include <algorithm>

namespace vqscope {
namespace {

bool isSeen(const QWidget* area) { return area->isVisible() && !area->visibleRegion().isEmpty(); }

bool isStop(const QWidget* widget) {
  return widget && (widget->focusPolicy() & Qt::TabFocus) && widget->isVisible() && widget->isEnabled() &&
         !widget->focusProxy() && !widget->size().isEmpty();
}

/// Sorted by their places, those that overlap by x.
template <class Widget>
void addSorted(QList<Widget*> some, QList<QWidget*>& areas) {
  std::ranges::stable_sort(some, {}, [](const Widget* each) { return std::pair(each->y(), each->x()); });
  for (Widget* each : some)
    if (isSeen(each)) areas << each;
}

QList<QDockWidget*> docksAt(const QMainWindow& window, QList<Qt::DockWidgetArea> places) {
  QList<QDockWidget*> docks;
  for (auto* dock : window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly))
    if (!dock->isFloating() && places.contains(window.dockWidgetArea(dock))) docks << dock;
  return docks;
}

qint64 sizeOf(const QWidget* widget) { return qint64{widget->width()} * widget->height(); }

}  // namespace

QList<QWidget*> focusAreas(const QMainWindow& window) {
  QList<QWidget*> areas;
  addSorted(window.findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly), areas);
  addSorted(docksAt(window, {Qt::LeftDockWidgetArea, Qt::TopDockWidgetArea}), areas);
  if (window.centralWidget() && isSeen(window.centralWidget())) areas << window.centralWidget();
  addSorted(docksAt(window, {Qt::RightDockWidgetArea}), areas);
  addSorted(docksAt(window, {Qt::BottomDockWidgetArea}), areas);
  return areas;
}

AreaFocus::AreaFocus(QMainWindow* window) : QObject(window), m_window(window) {
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { remember(now); });
}

void AreaFocus::remember(QWidget* focus) {
  if (!focus || focus->window() != m_window) return;
  for (QWidget* area : focusAreas(*m_window))
    if (area->isAncestorOf(focus)) m_last[area] = focus;
}

QWidget* AreaFocus::stopIn(QWidget* area) const {
  QWidget* last = m_last.value(area);
  if (isStop(last) && area->isAncestorOf(last)) return last;
  QList<QWidget*> stops = readingOrder(*area);
  stops.removeIf([](const QWidget* widget) { return !isStop(widget); });
  if (stops.isEmpty()) return nullptr;
  return area == m_window->centralWidget() ? *std::ranges::max_element(stops, {}, sizeOf) : stops.front();
}

void AreaFocus::step(int by) {
  const QList<QWidget*> areas = focusAreas(*m_window);
  const QWidget* focus = QApplication::focusWidget();
  const auto in = std::ranges::find_if(areas, [&](QWidget* area) { return focus && area->isAncestorOf(focus); });
  const auto count = areas.size();
  // Without a focus, the first step forwards goes to the first area, the first one back to the last.
  qsizetype at = in != areas.end() ? in - areas.begin() : by > 0 ? -1 : count;
  for (qsizetype tried = 0; tried < count; ++tried) {
    at = (at + by + count) % count;
    if (QWidget* stop = stopIn(areas[at])) return stop->setFocus(Qt::TabFocusReason);
  }
}

}  // namespace vqscope
