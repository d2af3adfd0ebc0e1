// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/experiment_presets.h"

#include <QFrame>
#include <QToolButton>
#include <QWidget>

class QLabel;
class QPushButton;
class QToolButton;

namespace vqscope {

class ElidedLabel;
class PresetButton;
class RunFilesButton;

/// "Questions": a menu of the presets of a page, grouped by experiment.
class PresetButton : public QToolButton {
  Q_OBJECT
 public:
  explicit PresetButton(QWidget* parent);

 signals:
  void chosen(const vqscope::ExperimentPreset* preset);
};

/// Question, note and source of the preset whose values the form has. Hidden if the form matches no
/// preset.
class PresetNote : public QFrame {
  Q_OBJECT
 public:
  explicit PresetNote(QWidget* parent);

  void show(const Method& method, const ParameterValues& values);

 private:
  QLabel* m_title;
  QLabel* m_note;
};

/// The buttons of the page of experiments, and a line on the measurement.
class ExperimentBar : public QWidget {
  Q_OBJECT
 public:
  explicit ExperimentBar(QWidget* parent);

  struct State {
    bool canRun = false;
    bool running = false;
    bool canPause = false;
    bool paused = false;
    QString words;  ///< on the measurement
  };
  void show(const State& state);
  void showMessage(const QString& sentence);
  void setSweepProgress(const QString& progress);

  RunFilesButton* files() { return m_files; }
  PresetButton* presets() { return m_presets; }
  QToolButton* showRuns() { return m_showRuns; }

 signals:
  void runRequested();
  void stopRequested();
  void pauseRequested(bool paused);
  void sweepRequested();

 private:
  QPushButton* addButton(const char* name, const QString& label, const QString& tip);

  QPushButton* m_run;
  QPushButton* m_pause;
  QPushButton* m_stop;
  QPushButton* m_sweep;
  ElidedLabel* m_words;
  RunFilesButton* m_files;
  PresetButton* m_presets;
  QToolButton* m_showRuns;
};

}  // namespace vqscope
