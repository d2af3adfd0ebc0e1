// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/cache/layer_cache.h"

#include <QWidget>

class QComboBox;
class QCustomPlot;
class QDoubleSpinBox;
class QLabel;

namespace vqscope {

class CurvePlot;

/// Bytes that the layers of a model keep: a sentence for the current length, the longest sequence
/// that fits into a memory, and curves against the length.
class CachePanel : public QWidget {
  Q_OBJECT
 public:
  explicit CachePanel(QWidget* parent = nullptr);

  void setModel(const LayerSchedule& schedule, Index tokens);
  /// Memory of the device, in GiB.
  void setMemory(double gibibytes);
  QString summary() const;

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeForm();
  void compute();
  void showCurves();
  void restyle();

  QLabel* m_summary;
  QLabel* m_longest = nullptr;
  QDoubleSpinBox* m_memory = nullptr;
  QComboBox* m_type = nullptr;
  QCustomPlot* m_plot;
  CurvePlot* m_curves;
  LayerSchedule m_schedule;
  Index m_tokens = 1;
};

}  // namespace vqscope
