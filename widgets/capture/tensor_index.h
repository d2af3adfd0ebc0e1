// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/store/tensor_summary.h"
#include "widgets/session/field_scheduler.h"

#include <QWidget>

#include <memory>
#include <vector>

class QLabel;
class QTableWidget;

namespace vqscope {

/// The tensors of a capture, layer by layer: shape, type and order of axes, and a few numbers that
/// are read on another thread while the table can be used.
class TensorIndex : public QWidget {
  Q_OBJECT
 public:
  explicit TensorIndex(std::shared_ptr<const Capture> capture, QWidget* parent = nullptr);

  /// Of the current row.
  Index layer() const;
  void showLayer(Index layer);
  bool isBusy() const { return m_work.isBusy(); }

 signals:
  void layerChanged();
  /// By a double click or Return.
  void tensorChosen(vqscope::Index layer, vqscope::TensorRole role);

 private:
  struct Row {
    Index layer = 0;
    TensorRole role = TensorRole::q;
  };

  void addRows();
  /// Of the layer that begins at that row.
  void summarise(int row);
  void fill(int row, const Result<TensorSummary>& summary);
  void showProgress(int row);

  std::shared_ptr<const Capture> m_capture;
  std::vector<Row> m_rows;
  QTableWidget* m_table;
  QLabel* m_progress;
  FieldScheduler m_work;
  int m_findings = 0;  ///< tensors with NaN, infinities where they mean nothing, or one value
};

}  // namespace vqscope
