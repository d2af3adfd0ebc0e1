// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/menu/table_copies.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QClipboard>

#include <functional>

namespace vqscope {

QString rowsAsText(const QAbstractItemView& table, int first, int last, bool titles) {
  const QAbstractItemModel& model = *table.model();
  QStringList lines;
  const auto addLine = [&](const std::function<QString(int)>& word) {
    QStringList words;
    for (int column = 0; column < model.columnCount(); ++column) words << word(column).simplified();
    lines << words.join(QLatin1Char('\t'));
  };
  if (titles) addLine([&](int column) { return model.headerData(column, Qt::Horizontal).toString(); });
  for (int row = first; row < last; ++row)
    addLine([&](int column) { return model.index(row, column).data().toString(); });
  return lines.join(QLatin1Char('\n'));
}

void offerCopies(QAbstractItemView& table) {
  const auto add = [&](const QString& title, const std::function<QString()>& text) {
    auto* action = new QAction(title, &table);
    action->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(action, &QAction::triggered, &table, [text] { QApplication::clipboard()->setText(text()); });
    table.addAction(action);
    return action;
  };
  add(QAbstractItemView::tr("Copy cell"), [&table] {
    return table.currentIndex().data().toString();
  })->setShortcut(QKeySequence::Copy);
  add(QAbstractItemView::tr("Copy row"), [&table] {
    const int row = table.currentIndex().row();
    return row < 0 ? QString() : rowsAsText(table, row, row + 1, false);
  });
  add(QAbstractItemView::tr("Copy table"), [&table] { return rowsAsText(table, 0, table.model()->rowCount(), true); });
  table.setContextMenuPolicy(Qt::ActionsContextMenu);
}

}  // namespace vqscope
