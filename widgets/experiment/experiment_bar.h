// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/experiment_presets.h"

#include <QFrame>
#include <QWidget>

class QLabel;
class QPushButton;
class QToolButton;

namespace vqscope {

class ElidedLabel;
class RunFilesButton;

/// Question, what is measured and, on request, note and source of the preset whose values the form has. Hidden if the
/// form matches no preset.
class PresetNote : public QFrame {
  Q_OBJECT
 public:
  explicit PresetNote(QWidget* parent);

  void show(const Method& method, const ParameterValues& values);
  /// Hides the note while the page shows something else.
  void setWanted(bool wanted);
  /// Shows the title alone, unless the user wants more.
  void setCompact(bool compact);

 signals:
  /// The user wants the question's other form: quick or full.
  void chosen(const vqscope::PresetChoice& choice);

 private:
  QLabel* m_title;
  QLabel* m_note;
  QToolButton* m_more;  ///< shows the whole note
  QToolButton* m_switch;
  QString m_brief, m_whole;
  std::optional<PresetChoice> m_other;  ///< the form that is not shown
  bool m_matches = false;
  bool m_wanted = true;
  bool m_compact = false;
};

/// The buttons of the page of experiments, and a line on the measurement.
class ExperimentBar : public QWidget {
  Q_OBJECT
 public:
  explicit ExperimentBar(QWidget* parent);

  struct State {
    bool overview = false;  ///< the questions are shown
    bool measures = false;  ///< the experiment has runs
    bool canRun = false;
    QString whyNot;  ///< why Run is disabled
    bool running = false;
    bool stopping = false;
    bool canPause = false;
    bool paused = false;
    QString words;  ///< on the measurement
  };
  void show(const State& state);
  void showMessage(const QString& sentence);
  void setSweepProgress(const QString& progress);
  /// Gives the focus to Stop, else to Run.
  void takeFocus();

  RunFilesButton* files() { return m_files; }
  QToolButton* showRuns() { return m_showRuns; }

 signals:
  void overviewRequested();
  void runRequested();
  void stopRequested();
  void pauseRequested(bool paused);
  void sweepRequested();

 private:
  QPushButton* addButton(const char* name, const QString& label, const QString& tip);

  QToolButton* m_questions;
  QPushButton* m_run;
  QPushButton* m_pause;
  QPushButton* m_stop;
  QPushButton* m_sweep;
  ElidedLabel* m_words;
  RunFilesButton* m_files;
  QToolButton* m_showRuns;
};

}  // namespace vqscope
