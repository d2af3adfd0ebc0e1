// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/training/training_watch.h"
#include "widgets/experiment/trained_run.h"

#include <QFrame>

class QBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace vqscope {

class CurveView;
class ElidedLabel;
class GenerateDialog;
class LiveCurves;

/// Progress of the training: what has been done of all, step and loss, tokens per second, remaining
/// time, a text that the model writes, and the loss of every training by step. After the last step
/// it shows how the training ended.
class TrainingPanel : public QFrame {
  Q_OBJECT
 public:
  explicit TrainingPanel(QWidget* parent);

  /// The losses: shown by the page itself, closed behind a button, or the picture of the page.
  enum class Losses { elsewhere, closed, open };
  void show(const LiveCurves& live, bool running, Losses losses);
  /// On a low page what is written leaves its lines to the picture, as the speed of what has ended does.
  void setCompact(bool compact) { m_compact = compact; }
  /// The model to save and to write with; nothing: there is none.
  void setModel(std::optional<TrainedRun> model);

 signals:
  /// The user wants to see the losses, or the results.
  void lossesToggled(bool open);
  /// One sentence for the message bar.
  void notified(const QString& sentence, bool bad);

 private:
  void saveModel();
  void generate();
  void showSample(const TrainingState& state);

  ElidedLabel* m_status;
  ElidedLabel* m_speed;
  QLabel* m_sample;
  QToolButton* m_toggle;
  QPushButton* m_save;
  QPushButton* m_write;
  CurveView* m_losses;
  std::optional<TrainedRun> m_model;
  bool m_compact = false;
  std::string m_given;                   ///< of the newest sample
  GenerateDialog* m_generate = nullptr;  ///< made on first use
};

}  // namespace vqscope
