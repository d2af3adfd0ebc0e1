// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "widgets/view/matrix_view.h"

#include <QDialog>

#include <functional>

class QLabel;
class QLineEdit;

namespace vqscope {

/// "230, 317": a row and a column, separated by a comma or by spaces.
Result<Cell> parseCell(const QString& typed);

/// Asks for a cell and goes there. The dialog stays open with its input until `go` accepts the cell
/// or the user cancels.
class GoToDialog : public QDialog {
  Q_OBJECT
 public:
  GoToDialog(Extent extent, std::function<Result<void>(Cell)> go, QWidget* parent);

  void accept() override;

 private:
  std::function<Result<void>(Cell)> m_go;
  QLineEdit* m_cell;
  QLabel* m_error;
};

}  // namespace vqscope
