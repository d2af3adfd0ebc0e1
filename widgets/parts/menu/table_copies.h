// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/table_text.h"

#include <QList>

#include <functional>
#include <utility>
#include <vector>

class QAbstractItemView;
class QAction;
class QObject;
class QWidget;

namespace vqscope {

/// Adds a context menu that copies the current cell (also Ctrl+C), its row, or the whole table with
/// its titles, as tab-separated text, Markdown, LaTeX or CSV.
void offerCopies(QAbstractItemView& table);

/// The cells that are shown, in their order on screen. `role`: of the texts.
TextTable shownTable(const QAbstractItemView& view, int role);

/// Those actions of the tables that are on screen in a window, each with the name of its table.
std::vector<std::pair<QString, QAction*>> shownTableCopies(const QWidget& window);

/// "Copy table": as tab-separated text.
QAction* tableTextAction(QObject* owner, const std::function<TextTable()>& table);

/// Actions that copy a table as Markdown, LaTeX and CSV.
QList<QAction*> tableCopyActions(QObject* owner, const std::function<TextTable()>& table);

}  // namespace vqscope
