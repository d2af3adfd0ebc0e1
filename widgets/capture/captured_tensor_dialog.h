// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/capture/captured_matrix.h"
#include "widgets/session/field_scheduler.h"

#include <QDialog>

#include <array>
#include <memory>
#include <optional>

class QLabel;
class QSpinBox;

namespace vqscope {

class MatrixView;
struct Cell;

/// A tensor of a capture, or B - A of two, as a map of one sample and head, which are chosen above it.
/// Numbers are read on another thread.
class CapturedTensorDialog : public QDialog {
  Q_OBJECT
 public:
  CapturedTensorDialog(std::shared_ptr<const Capture> capture, Index layer, TensorRole role, QWidget* parent = nullptr,
                       Index head = 0);
  /// B - A, with the cell of that sample, head, row and column picked; `start` may be the first of each.
  CapturedTensorDialog(std::shared_ptr<const Capture> a, std::shared_ptr<const Capture> b, Index layer, TensorRole role,
                       const std::array<Index, 4>& start, QWidget* parent = nullptr);

  bool isBusy() const;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  /// Reads that sample and head first.
  void build(const QString& title, Index sample, Index head);
  QWidget* choices();
  void read();
  void take(const Result<std::shared_ptr<const CapturedMatrix>>& matrix);
  void showMatrix();
  void showCell(const std::optional<Cell>& cell);

  std::shared_ptr<const Capture> m_capture;
  std::shared_ptr<const Capture> m_other;       ///< B; null: there is one capture
  std::optional<std::array<Index, 4>> m_start;  ///< to be picked in the first map
  Index m_layer;
  TensorRole m_role;
  std::shared_ptr<const CapturedMatrix> m_matrix;
  QLabel* m_facts;
  QSpinBox* m_sample;
  QSpinBox* m_head;
  MatrixView* m_view;
  QLabel* m_cell;
  FieldScheduler m_work;
};

}  // namespace vqscope
