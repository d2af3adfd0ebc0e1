// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/lint.h"
#include "widgets/view/matrix_view.h"

#include <QFrame>

#include <optional>

namespace vqscope {

/// One finding as a card: severity, rule, sentence. A click, Enter or space picks the counterexample.
class FindingRow : public QFrame {
  Q_OBJECT
 public:
  FindingRow(const Finding& finding, const QString& title, QWidget* parent);

  /// The counterexample; for a finding about a row or a key only, the cell is at the border of the map.
  std::optional<Cell> cell() const { return m_cell; }

 signals:
  void picked(vqscope::Cell cell);

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  std::optional<Cell> m_cell;
};

}  // namespace vqscope
