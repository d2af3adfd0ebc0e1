// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/tabbed_column.h"

#include <QSplitter>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {

TabbedColumn::TabbedColumn(QWidget* parent)
    : QWidget(parent), m_tabs(new QTabBar(this)), m_splitter(new QSplitter(Qt::Vertical, this)) {
  m_tabs->setDrawBase(false);
  m_tabs->setExpanding(false);
  m_tabs->setProperty("class", "views");
  m_tabs->hide();
  m_splitter->setHandleWidth(1);
  m_splitter->setChildrenCollapsible(false);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_tabs);
  layout->addWidget(m_splitter, 1);
  connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_moved = true; });
  connect(m_tabs, &QTabBar::currentChanged, this, &TabbedColumn::arrange);
}

void TabbedColumn::addPart(const QString& title, QWidget* part, int least) {
  m_splitter->addWidget(part);
  m_parts.push_back({part, least});
  m_tabs->addTab(title);
  arrange();
}

void TabbedColumn::removePart(QWidget* part) {
  const auto found = std::ranges::find(m_parts, part, &Part::widget);
  if (found == m_parts.end()) return;
  const int index = static_cast<int>(found - m_parts.begin());
  m_parts.erase(found);
  m_tabs->removeTab(index);
  part->setParent(nullptr);
  arrange();
}

void TabbedColumn::setSizes(const QList<int>& sizes) {
  if (!m_moved) m_splitter->setSizes(sizes);
}

void TabbedColumn::raisePart(const QWidget* part) {
  const auto found = std::ranges::find(m_parts, part, &Part::widget);
  if (found != m_parts.end()) m_tabs->setCurrentIndex(static_cast<int>(found - m_parts.begin()));
}

QSize TabbedColumn::minimumSizeHint() const {
  QSize least(0, 0);
  for (const Part& part : m_parts)
    least = least.expandedTo(part.widget->minimumSizeHint()).expandedTo(part.widget->minimumSize());
  return least + QSize(0, m_parts.size() > 1 ? m_tabs->sizeHint().height() : 0);
}

void TabbedColumn::arrange() {
  int needed = 0;
  for (const Part& part : m_parts) needed += part.least;
  m_low = m_parts.size() > 1 && height() < needed;
  m_tabs->setVisible(m_low);
  for (std::size_t i = 0; i < m_parts.size(); ++i)
    m_parts[i].widget->setVisible(!m_low || static_cast<int>(i) == m_tabs->currentIndex());
}

void TabbedColumn::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

}  // namespace vqscope
