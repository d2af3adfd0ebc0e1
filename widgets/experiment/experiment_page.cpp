// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiment/experiment_page.h"

#include "core/base/machine.h"
#include "core/base/text.h"
#include "core/catalogue/registry.h"
#include "core/io/watch/watched_file.h"
#include "core/method/run_result.h"
#include "core/method/verdict/verdict.h"
#include "core/run/run_chart.h"
#include "core/run/run_estimate.h"
#include "core/run/run_store.h"
#include "core/run/sweep.h"
#include "core/session/subject/subject_tensors.h"
#include "widgets/experiment/empty_result.h"
#include "widgets/experiment/experiment_bar.h"
#include "widgets/experiment/overview/experiment_cards.h"
#include "widgets/experiment/overview/experiment_overview.h"
#include "widgets/experiment/run_files.h"
#include "widgets/experiment/run_list.h"
#include "widgets/experiment/training_panel.h"
#include "widgets/parts/live_curves.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/plot/value_summary.h"
#include "widgets/sweep/sweep_dialog.h"
#include "widgets/view/curve_view.h"
#include "widgets/view/view_header.h"

#include <QDateTime>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int pause = 150;       // milliseconds; collects several file changes into one reading
constexpr int livePeriod = 250;  // milliseconds

/// On a worker.
Result<CurveSet> curvesOfRun(const Method& method, const ParameterValues& values, const RunPaths& paths, LastRun& last,
                             const Work& work) {
  auto files = openRunFiles(paths);
  if (!files) return files.error();
  auto made =
      make_run(method, {.inputs = {}, .memory = this_machine().memory, .files = std::move(*files)}, values, work);
  if (!made) return made.error();
  const auto result = std::make_shared<const RunResult>(std::move(*made));
  last.put({&method, values, result});
  return *result->curves;
}

constexpr double atOnce = 1.0;         // seconds; shorter measurements start by themselves
constexpr int longestStopWait = 1000;  // milliseconds

/// When the files were written last, as runs write times; empty: there are none. A run of before has
/// other numbers.
QString lastChange(const std::vector<std::string>& files) {
  constexpr Index nanoseconds = 1'000'000'000;
  QString last;
  for (const auto& file : files)
    if (const auto stamp = stamp_of(file))
      last =
          std::max(last, QDateTime::fromSecsSinceEpoch(stamp->modified / nanoseconds, Qt::UTC).toString(Qt::ISODate));
  return last;
}

}  // namespace

ExperimentPage::ExperimentPage(Workbench& workbench, const PageInfo& info, QWidget* parent)
    : CurvePage(workbench, info, parent),
      m_results(layout()->itemAt(0)->widget()),
      m_bar(new ExperimentBar(this)),
      m_overview(new ExperimentOverview(info, this)),
      m_empty(new EmptyResult(this)),
      m_result(paragraph(this, "remark")),
      m_training(new TrainingPanel(this)),
      m_note(new PresetNote(this)),
      m_list(new RunList(m_store, this)) {
  prepare(*views().front());
  auto* column = static_cast<QVBoxLayout*>(layout());
  m_result->setObjectName(QStringLiteral("result"));
  m_result->setContentsMargins(12, 0, 12, 6);
  column->insertWidget(0, m_bar);
  column->insertWidget(1, m_note);
  column->insertWidget(2, m_result);
  column->setStretchFactor(m_results, 3);
  for (QWidget* place : {static_cast<QWidget*>(m_overview), static_cast<QWidget*>(m_empty)})
    column->addWidget(place, 3);
  column->addWidget(m_training);
  column->addWidget(m_list, 2);
  m_list->hide();
  m_reread.setSingleShot(true);
  m_reread.setInterval(pause);
  m_live.setInterval(livePeriod);
  connectBar();
  beginAnew();
  connect(m_overview, &ExperimentOverview::questionChosen, this,
          [this](const PresetChoice& choice, bool run) { useQuestion(choice, run); });
  connect(m_note, &PresetNote::chosen, this, [this](const PresetChoice& choice) { useQuestion(choice, false); });
  connect(m_overview, &ExperimentOverview::experimentChosen, this, [this](const Method* method) {
    if (method == mainMethod() ||
        choose(tr("Show %1").arg(text(method->title)), *method, carried_values(*method, m_info.first)))
      setOverviewShown(false);
  });
  connect(m_overview, &ExperimentOverview::rateMeasured, this, &ExperimentPage::showTraining);
  connect(m_empty, &EmptyResult::runRequested, this, &ExperimentPage::runRequested);
  connect(m_empty, &EmptyResult::runChosen, this, [this](const KeptRun& run) {
    const Method& method = *mainMethod();
    if (has_values_of(method, run.run)) {
      choose(tr("Show run"), method, values_of_run(method, run.run));
    } else {
      m_list->choose(run.name);
      listFolder(m_store.folder(), {});
    }
  });
  connect(m_training, &TrainingPanel::lossesToggled, this, [this](bool open) {
    m_lossesOpen = open;
    showTraining();
  });
  connect(&m_live, &QTimer::timeout, this, &ExperimentPage::showTraining);
  connect(m_training, &TrainingPanel::notified, this, &ExperimentPage::notified);
  connect(&m_reread, &QTimer::timeout, this, &ExperimentPage::readRuns);
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, [this] { m_reread.start(); });
  connect(m_list, &RunList::changed, this, &ExperimentPage::readRuns);
  connect(m_list, &RunList::keptRequested, this, [this] { listFolder(m_store.folder(), {}); });
  readRuns();
}

void ExperimentPage::connectBar() {
  connect(m_bar, &ExperimentBar::runRequested, this, &ExperimentPage::runRequested);
  connect(m_bar, &ExperimentBar::stopRequested, this, &ExperimentPage::stopRequested);
  connect(m_bar, &ExperimentBar::pauseRequested, this, [this](bool paused) {
    if (const auto& live = views().front()->live()) live->setPaused(paused);
    showTraining();
  });
  connect(m_bar, &ExperimentBar::sweepRequested, this, [this] {
    sweep()->show();
    sweep()->raise();
    sweep()->activateWindow();
  });
  connect(m_bar, &ExperimentBar::overviewRequested, this, [this] {
    m_bar->showRuns()->setChecked(false);
    setOverviewShown(true);
  });
  connect(m_bar->files(), &RunFilesButton::chosen, this, &ExperimentPage::onFileChosen);
  connect(m_bar->showRuns(), &QToolButton::toggled, this, &ExperimentPage::showTraining);
}

void ExperimentPage::prepare(CurveView& view) {
  view.setKeeper([this, store = m_store, problem = m_problem] {
    return [problem, files = m_bar->files()->paths(), keeper = RunKeeper(store, VQSCOPE_VERSION)](
               const Method& method, ParameterValues values, const CurveSet& curves, double seconds,
               bool complete) mutable {
      if (!keeps_runs(method)) return;
      if (method.run())
        for (const auto& [name, path] : files) values.set(name, path);
      const Result<void> kept = keeper.keep(method, values, curves, seconds, complete);
      const std::lock_guard lock(problem->mutex);
      problem->sentence = kept ? std::string() : "the run is not kept: " + kept.error().message;
    };
  });
  view.setMaker([this] {
    return [files = m_bar->files()->paths(), last = m_last](const Method& method, const ParameterValues& values,
                                                            const Work& work) {
      return method.run() ? curvesOfRun(method, values, files, *last, work) : make_curves(method, values, work);
    };
  });
  connect(&view, &CurveView::finished, this, [this, &view] { onFinished(view); });
}

void ExperimentPage::onFinished(CurveView& view) {
  if (const auto wanted = m_wanted.find(&view); wanted != m_wanted.end() && view.hasNothingNew())
    wanted->second.met = false;
  if (&view == views().front() && !view.isBusy()) m_lossesOpen = view.hasNothingNew();
  if (!m_watcher.directories().contains(text(m_store.folder()))) m_reread.start();
  showTraining();
  showFreshness();
  if (&view == views().front() && !view.isBusy()) reportEnd();
}

/// The user knows of a stop.
void ExperimentPage::reportEnd() {
  const CurveView& view = *views().front();
  const auto& live = view.live();
  if (!live || !m_begun.method || live->isFinishing()) return;
  const QString failure = view.failure();
  const QString verdict =
      isBegun() && failure.isEmpty() ? capitalised(verdict_of(*m_begun.method, view.curves())) : failure;
  emit workEnded(text(m_begun.method->title), verdict.isEmpty() ? tr("The measurement has ended") : verdict,
                 live->seconds());
}

void ExperimentPage::sync() {
  const bool same = m_seen && m_seen->method == state().method && m_seen->values == state().values;
  if (m_seen && !same) setOverviewShown(false);
  m_seen = state();
  CurvePage::sync();
  if (const Method* method = find_method(state().method))
    m_note->show(*method, carried_values(*method, state().values));
  if (m_sweep) setSweepBase();
  m_bar->files()->setMethod(*mainMethod());
  showTraining();
}

/// A measurement that runs is kept as a run, and not shown.
void ExperimentPage::forget() {
  CurvePage::forget();
  m_wanted.clear();
  m_begun = {};
  beginAnew();
}

bool ExperimentPage::isBusy() const {
  return CurvePage::isBusy() || m_reading.isBusy() || m_looking.isBusy() || m_reread.isActive() ||
         m_overview->isBusy() || (m_sweep && m_sweep->isBusy());
}

/// A view without a result for the values of the form is marked; the page has the state of the
/// large view.
Freshness ExperimentPage::madeFreshness() const {
  const auto wanted = m_wanted.find(views().front());
  if (wanted == m_wanted.end() || wanted->second.met) return {};
  return isKnown(wanted->second) ? Freshness::onRequest(tr("Not measured with these values yet: press Run"))
                                 : Freshness::computing();
}

/// A typed value with an error marks all views; a missing measurement marks its own view only.
void ExperimentPage::showFreshness() {
  const Freshness page = freshness();
  for (auto* view : views()) {
    const auto wanted = m_wanted.find(view);
    Freshness own;
    if (wanted != m_wanted.end() && !wanted->second.met) {
      own = isKnown(wanted->second)
                ? Freshness::onRequest(tr("Not measured with these values yet: choose \"%1\" and press Run")
                                           .arg(text(wanted->second.method->title)))
                : Freshness::computing();
    }
    view->setFreshness(page.isOutdated() && (!page.isOnRequest || view == views().front()) ? page : own);
  }
  emit freshnessChanged();
}

void ExperimentPage::showIn(CurveView& view, const Method& method, const ParameterValues& values) {
  if (!keeps_runs(method)) {
    m_wanted.erase(&view);
    return CurvePage::showIn(view, method, values);
  }
  Wanted& wanted = m_wanted[&view];
  if (wanted.met && wanted.method == &method && wanted.values == values) return;
  // Back at the values of the measurement that is going on.
  const bool goesOn =
      wanted.method == &method && &view == views().front() && view.isBusy() && m_begun.isFor(&method, values);
  wanted = {&method, values, goesOn};
  view.expect(method, values);
  if (tensor_files(values).empty()) wanted.changed = QString();
  if (!wanted.changed) lookAtTensors();
  if (m_read) decide();
  showFreshness();
}

bool ExperimentPage::isOnScreen(const CurveView* view) const {
  const auto index = static_cast<std::size_t>(std::ranges::find(views(), view) - views().begin());
  return index < methods().size();
}

void ExperimentPage::lookAtTensors() {
  std::vector<std::pair<CurveView*, std::vector<std::string>>> asked;
  for (const auto& [view, wanted] : m_wanted)
    if (!wanted.changed) asked.emplace_back(view, tensor_files(wanted.values));
  m_looking.run<std::vector<QString>>(
      [asked](const std::stop_token&) {
        std::vector<QString> changes;
        for (const auto& [view, files] : asked) changes.push_back(lastChange(files));
        return changes;
      },
      [this, asked](const std::vector<QString>& changes) {
        for (std::size_t i = 0; i < changes.size(); ++i) {
          const auto wanted = m_wanted.find(asked[i].first);
          if (wanted != m_wanted.end() && tensor_files(wanted->second.values) == asked[i].second)
            wanted->second.changed = changes[i];
        }
        if (m_read) decide();
        showFreshness();
        showTraining();
      });
}

void ExperimentPage::decide() {
  for (auto& [view, wanted] : m_wanted) {
    if (wanted.met || !wanted.changed || !isOnScreen(view)) continue;
    const auto before = estimate_time(m_runs.runs, *wanted.method, wanted.values, std::nullopt);
    if (showKept(*view, wanted)) {
      wanted.met = true;
    } else if (before && before->seconds < atOnce) {
      begin(*view, *wanted.method, wanted.values);
    } else if (!view->isBusy() && !view->curves().x.empty()) {
      view->clear();  // curves of other values
      view->expect(*wanted.method, wanted.values);
    }
  }
}

bool ExperimentPage::showKept(CurveView& view, const Wanted& wanted) {
  const Method& method = *wanted.method;
  if (method.run() && !m_bar->files()->paths().empty()) return false;  // a file may have other contents than then
  const std::string id = run_id(method, wanted.values);
  for (const auto& kept : m_runs.runs) {
    const bool isOther = kept.run.id != id || !kept.run.complete || kept.run.x.empty();
    if (isOther || text(kept.run.when) < *wanted.changed) continue;
    const auto chart = chart_of({kept});
    if (!chart) continue;
    view.stop();
    view.setCurves(text(method.title), valueSummary(method, wanted.values), chart->curves, method.curves()->origin);
    view.header()->setToolTip(
        tr("Kept run of %1, in %2 s").arg(text(kept.run.when), text(to_text(kept.run.seconds, 3))));
    return true;
  }
  return false;
}

void ExperimentPage::begin(CurveView& view, const Method& method, const ParameterValues& values) {
  m_wanted[&view].met = true;
  if (&view == views().front()) {
    m_begun = {&method, values, true};
    m_lossesOpen = true;
  }
  view.setMethod(method, values, axesOf(method.id));
}

void ExperimentPage::runRequested() {
  CurveView& view = *views().front();
  const auto wanted = m_wanted.find(&view);
  if (wanted == m_wanted.end()) return;
  m_runOnceRead = !m_read;
  if (!m_read) return;
  m_bar->showRuns()->setChecked(false);
  begin(view, *wanted->second.method, wanted->second.values);
  showFreshness();
  showTraining();
}

/// Results until now are shown; work that ignores the stop is abandoned.
void ExperimentPage::stopRequested() {
  CurveView& view = *views().front();
  view.finish();
  showTraining();
  QTimer::singleShot(longestStopWait, this, [this, &view, live = view.live()] {
    if (!view.isBusy() || view.live() != live) return;
    view.stop();
    if (const auto wanted = m_wanted.find(&view); wanted != m_wanted.end()) wanted->second.met = false;
    showFreshness();
    showTraining();
  });
}

bool ExperimentPage::showsBeside(const Method& method) const { return !keeps_runs(method); }

}  // namespace vqscope
