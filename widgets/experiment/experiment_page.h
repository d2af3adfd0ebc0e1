// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_store.h"
#include "widgets/experiment/trained_run.h"
#include "widgets/page/curve_page.h"
#include "widgets/session/field_scheduler.h"

#include <QFileSystemWatcher>
#include <QTimer>

#include <mutex>

class QLabel;

namespace vqscope {

class EmptyResult;
class ExperimentBar;
class ExperimentOverview;
class PresetNote;
class RunList;
class SweepDialog;
class TrainingPanel;
struct PresetChoice;

/// The page of experiments. It begins with its questions, until a value is set or an experiment is
/// chosen. A measurement starts on request, unless the last one of the experiment took less than a
/// second; results of an earlier run with the same values are shown at once, those of other values
/// never. Every measurement is kept as a run, even if the page is hidden. While models train, their
/// losses are the picture. Sweeps have a dialog of their own.
class ExperimentPage : public CurvePage {
  Q_OBJECT
 public:
  ExperimentPage(Workbench& workbench, const PageInfo& info, QWidget* parent);

  void sync() override;
  void forget() override;
  bool isBusy() const override;
  /// The questions and the list of runs stand alone.
  bool hasSides() const override { return m_hasSides; }
  RunList* runList() { return m_list; }
  ExperimentOverview* overview() { return m_overview; }
  void setOverviewShown(bool shown);
  /// The sweep dialog of the chosen experiment; made at the first call and owned by the page.
  SweepDialog* sweep();

 protected:
  Freshness madeFreshness() const override;
  void showFreshness() override;
  void showIn(CurveView& view, const Method& method, const ParameterValues& values) override;
  /// Not for another measurement, which would wait for a Run of its own.
  bool showsBeside(const Method& method) const override;
  void prepare(CurveView& view) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool runsWhenHidden() const override { return true; }

 private:
  /// Why a run could not be kept; workers write it.
  struct Problem {
    std::mutex mutex;
    std::string sentence;
  };

  void connectBar();
  void readRuns();
  /// Contents of the folder of kept runs, and of the listed folder if it is another.
  struct Listings {
    Result<RunListing> kept = RunListing{};
    std::optional<Result<RunListing>> listed;
    std::string folder;  ///< the listed folder
  };
  void takeRuns(Listings listings);
  void showListed(const Listings& listings);
  void watch(const RunStore& store);
  /// Lists the runs of a folder below the views and selects the run of that name; empty: all runs.
  void listFolder(const std::string& folder, const std::string& name);
  void setSweepBase();
  void takeSweepValues(const Method& method, const ParameterValues& values);
  /// Shows kept results of the waiting values, or starts a measurement that takes less than a
  /// second.
  void decide();
  void begin(CurveView& view, const Method& method, const ParameterValues& values);
  void runRequested();
  void stopRequested();
  /// Back to the questions if nothing is set on this page.
  void beginAnew();
  void useQuestion(const PresetChoice& choice, bool run);
  /// One step of undo. Whether it could be done.
  bool choose(const QString& name, const Method& method, const ParameterValues& values);
  /// Shows the questions, the result, the losses or an empty place.
  void showPlace();
  void showEmpty();
  void showResult();
  /// How little of the page the words would leave to the picture.
  enum class Height { usual, low, lowest };
  Height heightClass() const;
  bool isOnScreen(const CurveView* view) const;
  /// Whether the large view computes, or has computed last, what the form asks for.
  bool isBegun() const;
  QString runningText() const;
  void onFinished(CurveView& view);
  void reportEnd();
  /// The training of the large view's computation, if its values are those of the form.
  std::optional<TrainedRun> trained() const;
  void showTraining();
  void onFileChosen(const std::string& input);
  void showBar();
  QString estimate(const Method& method, const ParameterValues& values) const;

  /// The curves requested from a view, and whether it shows or computes them.
  struct Wanted {
    const Method* method = nullptr;
    ParameterValues values;
    bool met = false;
    std::optional<QString> changed = {};  ///< when its tensors were written last; nothing: not looked up yet
    bool isFor(const Method* same, const ParameterValues& with) const { return method == same && values == with; }
  };
  /// Whether a run of these values was kept.
  bool showKept(CurveView& view, const Wanted& wanted);
  /// Looks in the background, because a file may lie on a network that does not answer.
  void lookAtTensors();
  bool isKnown(const Wanted& wanted) const { return m_read && wanted.changed; }

  std::map<CurveView*, Wanted> m_wanted;
  Wanted m_begun;  ///< of the last computation of the large view
  std::shared_ptr<Problem> m_problem = std::make_shared<Problem>();
  RunStore m_store{default_run_folder()};
  RunStore m_listed = m_store;  ///< the folder whose runs are listed
  RunListing m_runs;
  bool m_read = false;  ///< m_runs has been read from the folder
  bool m_runOnceRead = false;
  FieldScheduler m_reading;
  FieldScheduler m_looking;
  QFileSystemWatcher m_watcher;
  QTimer m_reread;
  std::shared_ptr<LastRun> m_last = std::make_shared<LastRun>();  ///< workers put it
  QTimer m_live;
  std::optional<ShownPage> m_seen;  ///< the state at the last sync()
  bool m_onOverview = true;
  bool m_hasSides = false;
  bool m_lossesOpen = false;
  Height m_height = Height::usual;  ///< of what is shown
  QWidget* m_results;               ///< the views
  ExperimentBar* m_bar;
  ExperimentOverview* m_overview;
  EmptyResult* m_empty;
  QLabel* m_result;
  TrainingPanel* m_training;
  SweepDialog* m_sweep = nullptr;
  PresetNote* m_note;
  RunList* m_list;
};

}  // namespace vqscope
