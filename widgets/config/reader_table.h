// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/reader_matrix.h"

#include <QTableWidget>

class QLabel;

namespace vqscope {

/// The values that each library would use from a config: a row for each fact, a column for each
/// reader. A cell that differs from what the config means has a mark, a colour, and its consequence
/// as a tooltip. For a dialog or a page.
class ReaderTable : public QTableWidget {
  Q_OBJECT
 public:
  explicit ReaderTable(QWidget* parent = nullptr);

  void setMatrix(const ReaderMatrix& matrix);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void colour();
};

/// The same below a line with the number of cells that differ, with the consequence of the selected
/// cell under it.
class ReaderPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ReaderPanel(QWidget* parent = nullptr);

  void setMatrix(const ReaderMatrix& matrix);

 private:
  void showSelected();

  ReaderMatrix m_matrix;
  QLabel* m_counted;
  ReaderTable* m_table;
  QLabel* m_consequence;
};

}  // namespace vqscope
