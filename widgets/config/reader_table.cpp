// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/config/reader_table.h"

#include "widgets/parts/menu/table_copies.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/table/cell_backgrounds.h"
#include "widgets/parts/text.h"
#include "widgets/theme/palette.h"

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QVBoxLayout>

namespace vqscope {
namespace {

constexpr int differsRole = Qt::UserRole;

QString factOf(const ReaderRow& row) {
  return row.layers.empty() ? text(row.fact) : text(row.fact) + QStringLiteral(" · ") + text(row.layers);
}

int differences(const ReaderMatrix& matrix) {
  int count = 0;
  for (const auto& row : matrix.rows)
    for (const auto& cell : row.cells) count += cell.differs ? 1 : 0;
  return count;
}

QTableWidgetItem* cellOf(const ReaderRow& row, const ReaderCell& cell, const QString& reader) {
  const QString value = text(cell.value);
  auto* item = tableItem(cell.differs ? QStringLiteral("≠ ") + value : value);
  item->setData(differsRole, cell.differs);
  if (cell.differs) item->setToolTip(text(cell.consequence));
  const QString description = QStringLiteral("%1, %2: %3").arg(reader, factOf(row), value);
  item->setData(
      Qt::AccessibleTextRole,
      cell.differs ? ReaderTable::tr("%1, differs: %2").arg(description, text(cell.consequence)) : description);
  return item;
}

}  // namespace

ReaderTable::ReaderTable(QWidget* parent) : QTableWidget(parent) {
  setAccessibleName(tr("What each library uses of the config"));
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setTabKeyNavigation(false);
  setShowGrid(false);
  setWordWrap(false);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  offerCopies(*this);
  paintBackgrounds(*this);
}

void ReaderTable::setMatrix(const ReaderMatrix& matrix) {
  clear();
  setColumnCount(static_cast<int>(matrix.readers.size()));
  setRowCount(static_cast<int>(matrix.rows.size()));
  QStringList readers, facts;
  for (const auto& reader : matrix.readers) readers << text(reader);
  for (const auto& row : matrix.rows) facts << factOf(row);
  setHorizontalHeaderLabels(readers);
  setVerticalHeaderLabels(facts);
  for (int row = 0; row < rowCount(); ++row) {
    const ReaderRow& fact = matrix.rows[static_cast<std::size_t>(row)];
    for (int column = 0; column < columnCount() && column < static_cast<int>(fact.cells.size()); ++column)
      setItem(row, column, cellOf(fact, fact.cells[static_cast<std::size_t>(column)], readers[column]));
  }
  colour();
  constexpr int padding = 14;
  resizeColumnsToContents();
  for (int column = 0; column < columnCount(); ++column) setColumnWidth(column, columnWidth(column) + padding);
}

void ReaderTable::changeEvent(QEvent* event) {
  QTableWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) colour();
}

void ReaderTable::colour() {
  const Palette& colours = currentPalette();
  const QColor marked = mixed(colours.panel, colours.warning, 0.18);
  for (int row = 0; row < rowCount(); ++row) {
    for (int column = 0; column < columnCount(); ++column) {
      QTableWidgetItem* cell = item(row, column);
      if (!cell || !cell->data(differsRole).toBool()) continue;
      cell->setBackground(marked);
      cell->setForeground(colours.text);
    }
  }
}

ReaderPanel::ReaderPanel(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 8, 0, 0);
  m_counted = heading({}, this);
  m_table = new ReaderTable(this);
  m_consequence = paragraph(this);
  m_consequence->setMinimumHeight(2 * m_consequence->fontMetrics().lineSpacing());
  column->addWidget(m_counted);
  column->addWidget(m_table, 1);
  column->addWidget(m_consequence);
  connect(m_table, &QTableWidget::currentItemChanged, this, &ReaderPanel::showSelected);
}

void ReaderPanel::setMatrix(const ReaderMatrix& matrix) {
  m_matrix = matrix;
  m_table->setMatrix(matrix);
  const int count = differences(matrix);
  m_counted->setText(matrix.rows.empty() ? tr("Only models with RoPE are compared across libraries")
                     : count == 0        ? tr("All libraries use the same")
                                         : counted(count, tr("value differs from what the config means (≠)"),
                                                   tr("values differ from what the config means (≠)")));
  m_table->setVisible(!matrix.rows.empty());
  showSelected();
}

void ReaderPanel::showSelected() {
  const QTableWidgetItem* item = m_table->currentItem();
  const bool differs = item && item->data(differsRole).toBool();
  m_consequence->setText(differs ? item->data(Qt::AccessibleTextRole).toString()
                                 : tr("Select a marked cell to read what follows from it."));
}

}  // namespace vqscope
