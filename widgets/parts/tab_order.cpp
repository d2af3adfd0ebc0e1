// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/tab_order.h"

#include <QEvent>
#include <QLayout>
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
  // Those without a place in the layout, such as the content of a scroll area, in the order of their making.
  for (auto* child : widget.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
    if (!child->isWindow()) addAll(*child, all);
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

}  // namespace vqscope
