// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/painted_table.h"

#include <QAccessibleWidget>

#include <map>

namespace vqscope {
namespace {

class AccessibleTable;

/// One cell, or the title of a column in row -1.
class AccessibleCell : public QAccessibleInterface, public QAccessibleTableCellInterface {
 public:
  AccessibleCell(const AccessibleTable& table, int row, int column) : m_table(table), m_row(row), m_column(column) {}

  bool isValid() const override;
  QObject* object() const override { return nullptr; }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  QAccessibleInterface* parent() const override;
  QAccessibleInterface* child(int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  QString text(QAccessible::Text kind) const override;
  void setText(QAccessible::Text, const QString&) override {}
  QRect rect() const override { return {}; }
  QAccessible::Role role() const override { return m_row < 0 ? QAccessible::ColumnHeader : QAccessible::Cell; }
  QAccessible::State state() const override;
  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::TableCellInterface ? static_cast<QAccessibleTableCellInterface*>(this) : nullptr;
  }

  bool isSelected() const override;
  QList<QAccessibleInterface*> columnHeaderCells() const override;
  QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
  int columnIndex() const override { return m_column; }
  int rowIndex() const override { return m_row; }
  int columnExtent() const override { return 1; }
  int rowExtent() const override { return 1; }
  QAccessibleInterface* table() const override { return parent(); }

 private:
  const AccessibleTable& m_table;
  int m_row;
  int m_column;
};

/// The widget, with the titles of its columns and then its cells, row by row, as children.
class AccessibleTable : public QAccessibleWidget, public QAccessibleTableInterface {
 public:
  explicit AccessibleTable(QWidget* widget)
      : QAccessibleWidget(widget, QAccessible::Table), m_table(dynamic_cast<PaintedTable*>(widget)) {}
  ~AccessibleTable() override {
    for (const auto& [place, id] : m_cells) QAccessible::deleteAccessibleInterface(id);
  }

  const PaintedTable& table() const { return *m_table; }
  void* interface_cast(QAccessible::InterfaceType type) override {
    if (type == QAccessible::TableInterface) return static_cast<QAccessibleTableInterface*>(this);
    return QAccessibleWidget::interface_cast(type);
  }
  int childCount() const override { return (m_table->shownRows() + 1) * m_table->shownColumns(); }
  QAccessibleInterface* child(int index) const override {
    const int columns = m_table->shownColumns();
    return index < 0 || index >= childCount() ? nullptr : cell(index / columns - 1, index % columns);
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    const auto* cell = dynamic_cast<const AccessibleCell*>(child);
    return cell ? (cell->rowIndex() + 1) * m_table->shownColumns() + cell->columnIndex() : -1;
  }

  QAccessibleInterface* caption() const override { return nullptr; }
  QAccessibleInterface* summary() const override { return nullptr; }
  QAccessibleInterface* cellAt(int row, int column) const override {
    const bool is = row >= 0 && row < rowCount() && column >= 0 && column < columnCount();
    return is ? cell(row, column) : nullptr;
  }
  int selectedCellCount() const override { return isRowSelected(m_table->currentRow()) ? columnCount() : 0; }
  QList<QAccessibleInterface*> selectedCells() const override {
    QList<QAccessibleInterface*> cells;
    for (int column = 0; column < selectedCellCount(); ++column) cells << cell(m_table->currentRow(), column);
    return cells;
  }
  QString columnDescription(int column) const override { return m_table->titleOfColumn(column); }
  QString rowDescription(int row) const override { return m_table->textOfCell(row, 0); }
  int selectedColumnCount() const override { return 0; }
  int selectedRowCount() const override { return isRowSelected(m_table->currentRow()) ? 1 : 0; }
  int columnCount() const override { return m_table->shownColumns(); }
  int rowCount() const override { return m_table->shownRows(); }
  QList<int> selectedColumns() const override { return {}; }
  QList<int> selectedRows() const override {
    return selectedRowCount() > 0 ? QList<int>{m_table->currentRow()} : QList<int>();
  }
  bool isColumnSelected(int) const override { return false; }
  bool isRowSelected(int row) const override { return row >= 0 && row == m_table->currentRow(); }
  bool selectRow(int) override { return false; }
  bool selectColumn(int) override { return false; }
  bool unselectRow(int) override { return false; }
  bool unselectColumn(int) override { return false; }
  void modelChange(QAccessibleTableModelChangeEvent*) override {}

  QAccessibleInterface* cell(int row, int column) const {
    auto& id = m_cells[{row, column}];
    if (id == 0) id = QAccessible::registerAccessibleInterface(new AccessibleCell(*this, row, column));
    return QAccessible::accessibleInterface(id);
  }

 private:
  PaintedTable* m_table;
  mutable std::map<std::pair<int, int>, QAccessible::Id> m_cells;  ///< made when they are asked for
};

bool AccessibleCell::isValid() const {
  return m_table.isValid() && m_row < m_table.rowCount() && m_column < m_table.columnCount();
}

QAccessibleInterface* AccessibleCell::parent() const { return QAccessible::queryAccessibleInterface(m_table.object()); }

QString AccessibleCell::text(QAccessible::Text kind) const {
  if (kind != QAccessible::Name || !isValid()) return {};
  return m_row < 0 ? m_table.table().titleOfColumn(m_column) : m_table.table().textOfCell(m_row, m_column);
}

QAccessible::State AccessibleCell::state() const {
  QAccessible::State state;
  state.readOnly = true;
  state.selected = isSelected();
  state.invalid = !isValid();
  return state;
}

bool AccessibleCell::isSelected() const { return isValid() && m_table.isRowSelected(m_row); }

QList<QAccessibleInterface*> AccessibleCell::columnHeaderCells() const { return {m_table.cell(-1, m_column)}; }

QAccessibleInterface* paintedTableInterface(const QString&, QObject* object) {
  auto* widget = qobject_cast<QWidget*>(object);
  return widget && dynamic_cast<PaintedTable*>(widget) ? new AccessibleTable(widget) : nullptr;
}

}  // namespace

void makePaintedTablesAccessible() { QAccessible::installFactory(paintedTableInterface); }

}  // namespace vqscope
