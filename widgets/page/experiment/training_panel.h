// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/training/training_watch.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace vqscope {

class CurveView;
class ElidedLabel;
class LiveCurves;

/// What trains now: step and loss, tokens per second, remaining time, a text that the model writes, and the loss of
/// every training by step. After the last step it says how the training ended.
class TrainingPanel : public QFrame {
  Q_OBJECT
 public:
  explicit TrainingPanel(QWidget* parent);

  /// `losses`: whether the losses have a chart here, because the page shows something else.
  void show(const LiveCurves& live, bool running, bool losses);
  /// Whether there is a model to save and to write with.
  void setModel(bool there);

 signals:
  void saveAsked();
  void writeAsked();

 private:
  void showSample(const TrainingState& state);

  ElidedLabel* m_status;
  ElidedLabel* m_speed;
  QLabel* m_sample;
  QPushButton* m_save;
  QPushButton* m_write;
  CurveView* m_losses;
};

}  // namespace vqscope
