// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/menu/table_copies.h"

#include "widgets/parts/text.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QTableWidget>
#include <QTreeView>

#include <algorithm>

namespace vqscope {
namespace {

constexpr char copiesTable[] = "copiesTable";  // property of an action

/// Columns in their order on screen.
std::vector<int> shownColumns(const QAbstractItemView& view) {
  const auto* table = qobject_cast<const QTableView*>(&view);
  const auto* tree = qobject_cast<const QTreeView*>(&view);
  const QHeaderView* header = table ? table->horizontalHeader() : tree ? tree->header() : nullptr;
  std::vector<int> columns;
  for (int i = 0; i < view.model()->columnCount(view.rootIndex()); ++i) {
    const int column = header ? header->logicalIndex(i) : i;
    if (!header || !header->isSectionHidden(column)) columns.push_back(column);
  }
  return columns;
}

/// Whether the rows have titles of their own, not only numbers.
bool hasRowNames(const QAbstractItemView& view) {
  const auto* table = qobject_cast<const QTableWidget*>(&view);
  return table && !table->verticalHeader()->isHidden() && table->rowCount() > 0 && table->verticalHeaderItem(0);
}

bool isRowShown(const QAbstractItemView& view, int row) {
  const auto* table = qobject_cast<const QTableView*>(&view);
  return !table || !table->isRowHidden(row);
}

std::vector<std::string> cellsOf(const QAbstractItemView& view, const std::vector<int>& columns, int row, int role) {
  std::vector<std::string> cells;
  for (const int column : columns)
    cells.push_back(view.model()->index(row, column, view.rootIndex()).data(role).toString().toStdString());
  return cells;
}

QAction* copyAction(QObject* owner, const QString& title, const std::function<QString()>& copied) {
  auto* action = new QAction(title, owner);
  action->setShortcutContext(Qt::WidgetShortcut);
  QObject::connect(action, &QAction::triggered, owner, [copied] { QApplication::clipboard()->setText(copied()); });
  return action;
}

}  // namespace

TextTable shownTable(const QAbstractItemView& view, int role) {
  const auto columns = shownColumns(view);
  const bool named = hasRowNames(view);
  TextTable table;
  if (named) table.titles.emplace_back();
  for (const int column : columns)
    table.titles.push_back(view.model()->headerData(column, Qt::Horizontal).toString().toStdString());
  for (int row = 0; row < view.model()->rowCount(view.rootIndex()); ++row)
    if (isRowShown(view, row)) {
      auto& cells = table.rows.emplace_back(cellsOf(view, columns, row, role));
      if (named) cells.insert(cells.begin(), view.model()->headerData(row, Qt::Vertical).toString().toStdString());
    }
  return table;
}

QAction* tableTextAction(QObject* owner, const std::function<TextTable()>& table) {
  return copyAction(owner, QAbstractItemView::tr("Copy table"),
                    [table] { return text(table_text(table(), TableFormat::tabs)); });
}

QList<QAction*> tableCopyActions(QObject* owner, const std::function<TextTable()>& table) {
  QList<QAction*> actions;
  for (const TableFormatName& each : table_formats()) {
    actions << copyAction(owner, QAbstractItemView::tr("Copy table as %1").arg(text(std::string(each.title))),
                          [table, format = each.format] { return text(table_text(table(), format)); });
    actions.back()->setProperty(copiesTable, true);
  }
  return actions;
}

/// The largest first: it is what the page shows.
std::vector<std::pair<QString, QAction*>> shownTableCopies(const QWidget& window) {
  std::vector<std::pair<QString, QAction*>> copies;
  for (QAction* action : window.findChildren<QAction*>()) {
    const auto* owner = qobject_cast<const QWidget*>(action->parent());
    if (owner && owner->isVisible() && action->property(copiesTable).toBool())
      copies.emplace_back(owner->accessibleName().section(QLatin1String(": "), -1), action);
  }
  std::ranges::stable_sort(copies, std::greater(), [](const auto& copy) {
    const auto* owner = static_cast<const QWidget*>(copy.second->parent());
    return owner->width() * owner->height();
  });
  return copies;
}

void offerCopies(QAbstractItemView& table) {
  const auto shown = [&table] { return shownTable(table, Qt::DisplayRole); };
  auto* cell = copyAction(&table, QAbstractItemView::tr("Copy cell"),
                          [&table] { return table.currentIndex().data().toString(); });
  cell->setShortcut(QKeySequence::Copy);
  table.addAction(cell);
  table.addAction(copyAction(&table, QAbstractItemView::tr("Copy row"), [&table] {
    const int row = table.currentIndex().row();
    if (row < 0) return QString();
    return text(table_text({{}, {cellsOf(table, shownColumns(table), row, Qt::DisplayRole)}}, TableFormat::tabs));
  }));
  table.addAction(tableTextAction(&table, shown));
  table.addActions(tableCopyActions(&table, shown));
  table.setContextMenuPolicy(Qt::ActionsContextMenu);
}

}  // namespace vqscope
