// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/table_text.h"

#include <QList>

#include <functional>

class QAbstractItemView;
class QAction;
class QObject;

namespace vqscope {

/// Adds a context menu that copies the current cell (also Ctrl+C), its row, or the whole table with
/// its titles, as tab-separated text, Markdown, LaTeX or CSV.
void offerCopies(QAbstractItemView& table);

/// The cells that are shown, in their order on screen. `role`: of the texts.
TextTable shownTable(const QAbstractItemView& view, int role);

/// Actions that copy a table as Markdown, LaTeX and CSV.
QList<QAction*> tableCopyActions(QObject* owner, const std::function<TextTable()>& table);

}  // namespace vqscope
