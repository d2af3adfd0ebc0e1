// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_store.h"
#include "widgets/page/curve_page.h"
#include "widgets/session/field_scheduler.h"

#include <QFileSystemWatcher>
#include <QTimer>

#include <mutex>

class QLabel;
class QPushButton;

namespace vqscope {

class PresetNote;
class RunList;
struct ExperimentPreset;

/// The page of experiments. Its values are edited freely: a measurement begins on request, unless the last one of the
/// experiment took less than a second; what was measured with the same values before is shown at once. Every
/// measurement is kept as a run, also when another page is looked at meanwhile.
class ExperimentPage : public CurvePage {
  Q_OBJECT
 public:
  ExperimentPage(Workbench& workbench, const WorkspaceInfo& info, QWidget* parent);

  void sync() override;
  bool isBusy() const override { return CurvePage::isBusy() || m_reading.isBusy() || m_reread.isActive(); }
  RunList* runList() { return m_list; }

 protected:
  Freshness madeFreshness() const override;
  void showFreshness() override;
  void showIn(CurveView& view, const Method& method, const ParameterValues& values) override;
  /// No other measurement: it would wait for a Run of its own.
  bool showsBeside(const Method& method) const override;
  void prepare(CurveView& view) override;
  bool goesOn() const override { return true; }

 private:
  /// Why runs could not be kept: written by workers.
  struct Problem {
    std::mutex mutex;
    std::string sentence;
  };

  QWidget* makeBar();
  void readRuns();
  void takeRuns(Result<RunListing> listing);
  /// Shows what is known of the values that wait, or begins them where that takes less than a second.
  void decide();
  void begin(CurveView& view, const Method& method, const ParameterValues& values);
  /// Whether a run of these values is among those that were kept.
  bool showKept(CurveView& view, const Method& method, const ParameterValues& values);
  void runAsked();
  /// One step of undo.
  void usePreset(const ExperimentPreset& preset);
  void showBar();
  QString estimate(const Method& method, const ParameterValues& values) const;

  /// What a view was asked for, and whether it has it or is on its way to it.
  struct Wanted {
    const Method* method = nullptr;
    ParameterValues values;
    bool met = false;
  };
  std::map<CurveView*, Wanted> m_wanted;
  std::shared_ptr<Problem> m_problem = std::make_shared<Problem>();
  RunStore m_store{default_run_folder()};
  RunListing m_runs;
  bool m_read = false;  ///< m_runs are those of the folder
  FieldScheduler m_reading;
  QFileSystemWatcher m_watcher;
  QTimer m_reread;
  QPushButton* m_run = nullptr;
  QPushButton* m_stop = nullptr;
  QLabel* m_estimate = nullptr;
  PresetNote* m_note;
  RunList* m_list;
};

}  // namespace vqscope
