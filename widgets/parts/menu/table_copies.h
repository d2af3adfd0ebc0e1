// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAbstractItemView;
class QString;

namespace vqscope {

/// Adds a context menu that copies the current cell (also Ctrl+C), its row, or the whole table with
/// its titles, as tab-separated text.
void offerCopies(QAbstractItemView& table);

/// The texts of the rows from `first` to before `last`.
QString rowsAsText(const QAbstractItemView& table, int first, int last, bool titles);

}  // namespace vqscope
