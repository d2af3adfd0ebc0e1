// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_store.h"
#include "widgets/page/curve_page.h"
#include "widgets/session/field_scheduler.h"

#include <QFileSystemWatcher>
#include <QTimer>

#include <mutex>

class QPushButton;
class QToolButton;

namespace vqscope {

class ElidedLabel;
class PresetNote;
class RunList;
class SweepDialog;
struct ExperimentPreset;

/// The page of experiments. Its values are edited freely: a measurement begins on request, unless the last one of the
/// experiment took less than a second; what was measured with the same values before is shown at once. Every
/// measurement is kept as a run, also when another page is looked at meanwhile. A sweep goes on in a dialog of its own.
class ExperimentPage : public CurvePage {
  Q_OBJECT
 public:
  ExperimentPage(Workbench& workbench, const WorkspaceInfo& info, QWidget* parent);

  void sync() override;
  bool isBusy() const override;
  RunList* runList() { return m_list; }
  /// The sweep of the experiment that is chosen; made when it is first asked for, and as old as the page from then on.
  SweepDialog* sweep();

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
  /// What the folders have: the one of kept runs, and the one that is listed where that is another.
  struct Listings {
    Result<RunListing> kept = RunListing{};
    std::optional<Result<RunListing>> listed;
    std::string folder;  ///< that is listed
  };
  void takeRuns(Listings listings);
  void showListed(const Listings& listings);
  void watch(const RunStore& store);
  /// Lists the runs of a folder below the views, and chooses the one of that name; empty: all.
  void listFolder(const std::string& folder, const std::string& name);
  void setSweepBase();
  void takeSweepValues(const Method& method, const ParameterValues& values);
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
  RunStore m_listed = m_store;  ///< whose runs stand in the list
  RunListing m_runs;
  bool m_read = false;  ///< m_runs are those of the folder
  FieldScheduler m_reading;
  QFileSystemWatcher m_watcher;
  QTimer m_reread;
  QPushButton* m_run = nullptr;
  QPushButton* m_stop = nullptr;
  ElidedLabel* m_estimate = nullptr;
  QPushButton* m_sweepButton = nullptr;
  QToolButton* m_showRuns = nullptr;
  SweepDialog* m_sweep = nullptr;
  PresetNote* m_note;
  RunList* m_list;
};

}  // namespace vqscope
