// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/note/cell_note.h"
#include "widgets/plot/matrix_cursor.h"

#include <QWidget>

#include <vector>

class QListWidget;
class QListWidgetItem;

namespace vqscope {

/// The notes on cells of the map on the page; hidden without any. A click goes to the cell, Enter or a
/// double click edits the note, Delete removes it.
class NotesList : public QWidget {
  Q_OBJECT
 public:
  explicit NotesList(QWidget* parent = nullptr);

  void setNotes(const std::vector<CellNote>& notes);
  const std::vector<CellNote>& notes() const { return m_notes; }

 signals:
  void chosen(const vqscope::Cell& cell);
  void editRequested(const vqscope::Cell& cell);
  void removeRequested(const vqscope::Cell& cell);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  Cell cellOf(const QListWidgetItem& item) const;

  std::vector<CellNote> m_notes;
  QListWidget* m_list;
};

}  // namespace vqscope
