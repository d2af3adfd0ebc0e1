// SPDX-License-Identifier: GPL-3.0-or-later
// What the page shows: questions, a result with its sentence, losses, or an empty place; the bar; and
// the list of runs.
#include "widgets/experiment/experiment_page.h"

#include "core/catalogue/experiment_presets.h"
#include "core/catalogue/registry.h"
#include "core/method/verdict/verdict.h"
#include "core/run/run_estimate.h"
#include "widgets/experiment/empty_result.h"
#include "widgets/experiment/experiment_bar.h"
#include "widgets/experiment/overview/experiment_cards.h"
#include "widgets/experiment/overview/experiment_overview.h"
#include "widgets/experiment/run_files.h"
#include "widgets/experiment/run_list.h"
#include "widgets/experiment/training_panel.h"
#include "widgets/parts/live_curves.h"
#include "widgets/parts/text.h"
#include "widgets/sweep/sweep_dialog.h"
#include "widgets/theme/after_theme.h"
#include "widgets/theme/fonts.h"
#include "widgets/view/curve_view.h"
#include "widgets/view/view_header.h"

#include <QDir>
#include <QEvent>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace vqscope {

void ExperimentPage::beginAnew() {
  const ShownPage fresh = shown_page(default_session(), m_info.id);
  m_seen = state();
  setOverviewShown(state().method == fresh.method && state().values == fresh.values);
}

void ExperimentPage::setOverviewShown(bool shown) {
  if (std::exchange(m_onOverview, shown) == shown) return;
  showTraining();
}

bool ExperimentPage::choose(const QString& name, const Method& method, const ParameterValues& values) {
  const auto done = m_workbench.choose(name, m_info.id, method, values);
  if (!done) emit notified(vqscope::text(done.error().message), true);
  return done.has_value();
}

void ExperimentPage::useQuestion(const PresetChoice& choice, bool run) {
  if (!choose(tr("Question: %1").arg(text(choice.preset->title)), *choice.preset->experiment, choice.values())) return;
  setOverviewShown(false);
  const auto wanted = m_wanted.find(views().front());
  if (run && wanted != m_wanted.end() && !wanted->second.met) runRequested();
}

bool ExperimentPage::isBegun() const {
  const auto wanted = m_wanted.find(views().front());
  return m_begun.method && wanted != m_wanted.end() && wanted->second.isFor(m_begun.method, m_begun.values);
}

void ExperimentPage::showPlace() {
  const CurveView& view = *views().front();
  const auto wanted = m_wanted.find(views().front());
  const bool busy = view.isBusy();
  const bool trains = isBegun() && view.live() && view.live()->trainings().state();
  const bool inChart = m_begun.method && m_begun.method->run();  // the result is the losses
  const bool empty = wanted != m_wanted.end() && !wanted->second.met;
  const bool losses = trains && !inChart && (m_lossesOpen || empty);
  const bool runs = m_bar->showRuns()->isChecked(), experiment = !m_onOverview && !runs;
  m_list->setVisible(runs);
  m_note->setWanted(experiment);
  m_overview->setVisible(m_onOverview && !runs);
  m_results->setVisible(experiment && !empty && !losses);
  m_empty->setVisible(experiment && empty && !losses);
  static_cast<QVBoxLayout*>(layout())->setStretchFactor(m_training, losses ? 3 : 0);
  m_training->setCompact(heightClass() != Height::usual);
  const bool ended = !busy && !losses && !inChart;
  if (trains && experiment && !(ended && heightClass() == Height::lowest)) {
    using Losses = TrainingPanel::Losses;
    m_training->show(*view.live(), busy, inChart ? Losses::elsewhere : losses ? Losses::open : Losses::closed);
    m_training->setModel(busy ? std::nullopt : trained());
  } else {
    m_training->hide();
  }
  if (m_empty->isVisibleTo(this)) showEmpty();
  showResult();
  const bool answered = m_result->isVisibleTo(this);
  m_note->setCompact(answered && heightClass() != Height::usual);
  if (answered && heightClass() == Height::lowest) m_note->setWanted(false);
  if (std::exchange(m_hasSides, experiment) != experiment) emit sidesChanged();
}

void ExperimentPage::showEmpty() {
  const auto& wanted = m_wanted.at(views().front());
  const Freshness now = freshness();
  const bool invalid = now.isOutdated() && !now.isOnRequest;
  EmptyResult::State state{.method = wanted.method,
                           .title = invalid  ? now.cause
                                    : m_read ? tr("Not measured with these values yet")
                                             : tr("The kept runs are being read"),
                           .estimate = estimate(*wanted.method, wanted.values),
                           .canRun = m_read && !invalid,
                           .others = {}};
  std::ranges::copy_if(m_runs.runs, std::back_inserter(state.others),
                       [&](const KeptRun& kept) { return kept.run.method == wanted.method->id && kept.run.complete; });
  m_empty->show(state);
}

ExperimentPage::Height ExperimentPage::heightClass() const {
  constexpr int low = 620;     // pixels; a window of 1100 x 700 has less
  constexpr int lowest = 420;  // the same window at 150 %
  return height() < lowest ? Height::lowest : height() < low ? Height::low : Height::usual;
}

void ExperimentPage::resizeEvent(QResizeEvent* event) {
  CurvePage::resizeEvent(event);
  if (std::exchange(m_height, heightClass()) != m_height) afterTheme(this, [this] { showTraining(); });
}

/// The sentence on the shown curves, and when they were measured.
void ExperimentPage::showResult() {
  const CurveView& view = *views().front();
  const auto wanted = m_wanted.find(views().front());
  const Method* method = mainMethod();
  const bool known = !m_onOverview && m_list->isHidden() && !view.isBusy() && !view.curves().x.empty() &&
                     (wanted == m_wanted.end() || wanted->second.met);
  const QString verdict = known ? capitalised(verdict_of(*method, view.curves())) : QString();
  m_result->setVisible(!verdict.isEmpty());
  QFont font = scaledFont(uiFont(), heightClass() == Height::usual ? 1.1 : 1);
  font.setWeight(QFont::DemiBold);
  if (m_result->font() != font) m_result->setFont(font);
  if (verdict.isEmpty()) return;
  const KeptRun* run = wanted == m_wanted.end() ? nullptr : newest_run(m_runs.runs, *method, wanted->second.values);
  const QString when = run && !view.isStopped() ? tr(" (%1)").arg(runText(run->run)) : QString();
  m_result->setText((view.isStopped() ? tr("Stopped before the end; so far: %1").arg(verdict) : verdict) + when);
}

QString ExperimentPage::estimate(const Method& method, const ParameterValues& values) const {
  const auto estimate = estimate_time(m_runs.runs, method, values, m_overview->rate());
  if (!estimate) return tr("How long it takes is known after the first run");
  const QString time = durationText(estimate->seconds);
  switch (estimate->basis) {
    case TimeEstimate::Basis::same_values: return tr("About %1, as long as the last run with these values").arg(time);
    case TimeEstimate::Basis::other_values:
      return method.curves() && method.curves()->work
                 ? tr("About %1, estimated from the last run with other values").arg(time)
                 : tr("The last run, with other values, took %1").arg(time);
    case TimeEstimate::Basis::speed: break;
  }
  return tr("About %1 here").arg(time);
}

QString ExperimentPage::runningText() const {
  const CurveView& view = *views().front();
  if (view.live()->isFinishing()) return tr("Stopping");
  const bool trains = view.live()->trainings().state().has_value();
  if (!m_onOverview && isBegun()) return trains ? QString() : tr("Running");  // the panel has details
  const QString title = m_begun.method ? text(m_begun.method->title) : tr("A run of the former session");
  const QString done = tr("%1: %2 % done").arg(title).arg(view.live()->percent());
  return m_onOverview || !m_begun.method ? done : tr("%1, with other values than the form").arg(done);
}

void ExperimentPage::showBar() {
  const CurveView& view = *views().front();
  const auto wanted = m_wanted.find(views().front());
  const bool experiment = wanted != m_wanted.end(), busy = view.isBusy();
  const Freshness now = freshness();
  const bool invalid = now.isOutdated() && !now.isOnRequest;
  QString words = busy ? runningText() : QString();
  if (!busy && !m_onOverview) {
    if (!experiment)
      words = tr("Computed at once: nothing has to be run");
    else if (m_read && wanted->second.met)
      words = estimate(*wanted->second.method, wanted->second.values);
  }
  {
    const std::lock_guard lock(m_problem->mutex);
    if (!m_problem->sentence.empty()) words = text(m_problem->sentence);
  }
  m_bar->show({.overview = m_onOverview,
               .measures = experiment,
               .canRun = experiment && m_read && !invalid && (!busy || !wanted->second.met),
               .whyNot = invalid  ? now.cause
                         : m_read ? QString()
                                  : tr("The kept runs are being read"),
               .running = busy,
               .stopping = busy && view.live()->isFinishing(),
               .canPause = busy && view.live()->trainings().state().has_value(),
               .paused = busy && view.live()->isPaused(),
               .words = words});
}

SweepDialog* ExperimentPage::sweep() {
  if (m_sweep) return m_sweep;
  m_sweep = new SweepDialog(VQSCOPE_VERSION, require_method, this);
  connect(m_sweep, &SweepDialog::progressShown, this,
          [this](const QString& progress) { m_bar->setSweepProgress(progress); });
  connect(m_sweep, &SweepDialog::runsRequested, this, [this](const QString& folder, const QString& id) {
    m_sweep->hide();
    listFolder(bytesOf(folder), id.toStdString());
  });
  connect(m_sweep, &SweepDialog::ended, this,
          [this](const QString& words, double seconds) { emit workEnded(tr("Sweep"), words, seconds); });
  connect(m_sweep, &SweepDialog::loaded, this,
          [this](const Method* method, const ParameterValues& values) { takeSweepValues(*method, values); });
  setSweepBase();
  return m_sweep;
}

void ExperimentPage::takeSweepValues(const Method& method, const ParameterValues& values) {
  if (method.category != "experiments") return;  // a method of another page
  const auto done = m_workbench.choose(tr("Load sweep"), m_info.id, method, values);
  if (!done) m_bar->showMessage(text(done.error().message));
}

void ExperimentPage::setSweepBase() {
  const Method& method = *mainMethod();
  m_sweep->setBase(method, carried_values(method, state().values));
}

void ExperimentPage::readRuns() {
  m_reading.run<Listings>(
      [store = m_store, listed = m_listed](std::stop_token) {
        Listings all{.kept = store.list(), .listed = {}, .folder = listed.folder()};
        if (listed.folder() != store.folder()) all.listed = listed.list();
        return all;
      },
      [this](Listings listings) { takeRuns(std::move(listings)); });
}

void ExperimentPage::watch(const RunStore& store) {
  const QString folder = text(store.folder());
  if (!m_watcher.directories().contains(folder) && QDir(folder).exists()) m_watcher.addPath(folder);
}

void ExperimentPage::takeRuns(Listings listings) {
  watch(m_store);
  watch(m_listed);
  m_read = true;
  if (listings.kept) m_runs = std::move(*listings.kept);
  if (listings.folder == m_listed.folder()) showListed(listings);
  m_overview->setRuns(m_runs.runs);
  decide();
  if (std::exchange(m_runOnceRead, false)) runRequested();
  showFreshness();
  showTraining();
}

void ExperimentPage::showListed(const Listings& listings) {
  if (!listings.listed) return m_list->setRuns(m_runs, listings.kept ? QString() : text(listings.kept.error().message));
  const auto& listed = *listings.listed;
  m_list->setRuns(listed ? *listed : RunListing(), listed ? QString() : text(listed.error().message));
}

void ExperimentPage::listFolder(const std::string& folder, const std::string& name) {
  if (m_listed.folder() != m_store.folder()) m_watcher.removePath(text(m_listed.folder()));
  m_listed = RunStore(folder);
  m_list->setStore(m_listed, folder != m_store.folder());
  if (m_listed.folder() != m_store.folder()) m_list->choose(name);
  m_bar->showRuns()->setChecked(true);
  readRuns();
}

std::optional<TrainedRun> ExperimentPage::trained() const {
  const auto wanted = m_wanted.find(views().front());
  if (wanted == m_wanted.end() || !wanted->second.met) return std::nullopt;
  return m_last->find(*wanted->second.method, wanted->second.values);
}

void ExperimentPage::showTraining() {
  const bool busy = views().front()->isBusy();
  const bool onEmpty = m_empty->isAncestorOf(window()->focusWidget());
  showPlace();
  if (busy && !m_live.isActive()) m_live.start();
  if (!busy) m_live.stop();
  showBar();
  // A button that goes would leave the focus to the next one.
  if (onEmpty && m_empty->isHidden()) m_bar->takeFocus();
}

void ExperimentPage::onFileChosen(const std::string& input) {
  ShownPage next = state();
  const auto paths = m_bar->files()->paths();
  if (input == "text" && paths.contains(input)) next.values.set("data", std::string("text"));
  for (auto& [view, wanted] : m_wanted)
    if (wanted.method->run()) wanted.met = false;
  if (next.values != state().values) {
    if (const auto done = m_workbench.edit(tr("Train on a text"), next); !done)
      m_bar->showMessage(text(done.error().message));
  } else if (m_read) {
    decide();
  }
  showFreshness();
  showTraining();
}

void ExperimentPage::changeEvent(QEvent* event) {
  CurvePage::changeEvent(event);
  // After the event: Qt goes through all widgets meanwhile.
  if (event->type() == QEvent::PaletteChange && views().front()->live())
    QMetaObject::invokeMethod(this, &ExperimentPage::showTraining, Qt::QueuedConnection);
}

}  // namespace vqscope
