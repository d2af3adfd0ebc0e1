// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/point_table.h"

#include "widgets/parts/menu/table_copies.h"
#include "widgets/theme/palette.h"

#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int pointRowPadding = 10;  // pixels between the words of two lines

/// The finished fraction, as a line below the text.
class FractionDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    const QVariant fraction = index.data(PointModel::fractionRole);
    if (!fraction.isValid()) return;
    constexpr int margin = 3, thickness = 3;
    QRect line = option.rect.adjusted(margin, option.rect.height() - thickness - 1, -margin, -1);
    painter->fillRect(line, currentPalette().line);
    line.setWidth(static_cast<int>(line.width() * std::clamp(fraction.toDouble(), 0.0, 1.0)));
    painter->fillRect(line, currentPalette().accent);
  }
};

}  // namespace

PointTable::PointTable(QWidget* parent) : QTableView(parent), m_model(new PointModel(this)) {
  setObjectName(QStringLiteral("points"));
  setModel(m_model);
  setItemDelegate(new FractionDelegate(this));
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setShowGrid(false);
  setWordWrap(false);
  setTabKeyNavigation(false);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + pointRowPadding);
  horizontalHeader()->setHighlightSections(false);
  offerCopies(*this);
  connect(this, &QTableView::activated, this, [this](const QModelIndex& index) {
    const PointState state = m_model->point(index.row()).state;
    if (state == PointState::found || state == PointState::computed) emit opened(index.row());
  });
}

void PointTable::fitColumns() {
  constexpr int widest = 160, padding = 12;
  auto* header = horizontalHeader();
  for (int column = 0; column < m_model->columnCount(); ++column) {
    const bool state = column == m_model->stateColumn();
    header->setSectionResizeMode(column, state ? QHeaderView::Stretch : QHeaderView::Interactive);
    if (state) continue;
    resizeColumnToContents(column);
    setColumnWidth(column, std::min(widest, columnWidth(column) + padding));
  }
  scrollToTop();
  m_followed = verticalScrollBar()->value();
}

void PointTable::follow() {
  if (verticalScrollBar()->value() != m_followed) return;
  if (const auto row = m_model->firstOf(PointState::running)) scrollTo(m_model->index(*row, 0), PositionAtCenter);
  m_followed = verticalScrollBar()->value();
}

}  // namespace vqscope
