// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/sweep_folder.h"
#include "widgets/session/field_scheduler.h"
#include "widgets/sweep/checked_sweep.h"

#include <QDialog>
#include <QElapsedTimer>
#include <QTimer>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

class QLabel;
class QProgressBar;
class QPushButton;
class QTabWidget;

namespace vqscope {

class MergedTable;
class PointProgress;
class PointTable;
class SweepSetup;

/// `vqscope sweep` in the window: what varies, the points with their progress, the merged table. A
/// sweep continues while the dialog is closed. It ends with the program, and its finished points
/// stay in their folder.
class SweepDialog : public QDialog {
  Q_OBJECT
 public:
  /// `version`: of the program, for the files of runs. `find`: finds the method of a sweep that is
  /// read.
  SweepDialog(std::string version, FindMethod find, QWidget* parent);
  ~SweepDialog() override;

  /// Sets the experiment and the values of its form. A started sweep stays in view until the user
  /// changes the varying parameters or takes the values of the form.
  void setBase(const Method& method, const ParameterValues& values);
  void start();
  /// Points stop within 100 ms; finished points are kept.
  void stopSweep();
  bool isRunning() const { return m_running; }
  bool isBusy() const;

  /// The shell command for the same sweep; empty: the sweep has an error or is being counted.
  QString commandLine() const;
  /// Reads the sweep of the entered folder.
  void loadSweep();
  /// Writes the table of `vqscope merge` for the folder, in the background.
  void saveTable(const QString& path);

  SweepSetup* setup() const { return m_setup; }
  PointTable* points() const { return m_points; }
  MergedTable* merged() const { return m_merged; }

 signals:
  /// "12 of 40" while a sweep is running, else empty.
  void progressShown(const QString& words);
  /// A sweep that was not stopped has ended.
  void ended(const QString& words, double seconds);
  /// A sweep was read: set the form to its experiment and values.
  void loaded(const vqscope::Method* method, const vqscope::ParameterValues& values);
  /// Emitted to list the runs of the folder, with the run `id` selected; empty: none.
  void runsRequested(const QString& folder, const QString& id);

 private:
  QWidget* makeLeft();
  QWidget* makeRight();
  QWidget* makeFoot();
  void edited();
  void takeForm();
  void recheck();
  void showCount(const QString& sentence, bool bad);
  void takeLoaded(const Result<Sweep>& sweep);
  void takeChecked(CheckedSweepResult checked);
  void finish(const Result<void>& outcome);
  void takeProgress();
  void showFailure(int row);
  void showState();
  QString stateWords() const;
  void showMerged();
  void copyCommand();
  void chooseAndSave();
  void showMessage(const QString& sentence, bool bad);

  const std::string m_version;
  const FindMethod m_find;
  SweepSetup* m_setup;
  PointTable* m_points;
  MergedTable* m_merged;
  QTabWidget* m_tabs = nullptr;
  QLabel* m_count = nullptr;
  QLabel* m_state = nullptr;
  QLabel* m_words = nullptr;
  QProgressBar* m_bar = nullptr;
  QPushButton* m_start = nullptr;
  QPushButton* m_stop = nullptr;
  QPushButton* m_copy = nullptr;
  QPushButton* m_takeForm = nullptr;
  QPushButton* m_load = nullptr;
  QPushButton* m_save = nullptr;
  QPushButton* m_runs = nullptr;

  std::shared_ptr<const CheckedSweep> m_checked;  ///< null: an error, or being counted
  FieldScheduler m_checking, m_sweeping, m_saving, m_loading;
  std::shared_ptr<PointProgress> m_progress;
  std::stop_source m_stopping;
  bool m_running = false;
  bool m_held = false;     ///< the sweep was started, and the input still describes it
  bool m_stopped = false;  ///< the user stopped the last sweep
  std::optional<std::pair<const Method*, ParameterValues>> m_nextBase;
  double m_before = 0;  ///< finished fraction of all points when the sweep started
  QElapsedTimer m_clock;
  QTimer m_tick;
};

}  // namespace vqscope
