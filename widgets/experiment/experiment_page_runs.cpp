// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of the page: kept runs, runs of a sweep, and trainings with their files and models.
#include "widgets/experiment/experiment_page.h"

#include "core/catalogue/registry.h"
#include "widgets/experiment/experiment_bar.h"
#include "widgets/experiment/run_files.h"
#include "widgets/experiment/run_list.h"
#include "widgets/experiment/training_panel.h"
#include "widgets/parts/live_curves.h"
#include "widgets/parts/text.h"
#include "widgets/sweep/sweep_dialog.h"
#include "widgets/view/curve_view.h"
#include "widgets/view/view_header.h"

#include <QDir>
#include <QEvent>
#include <QToolButton>
#include <QVBoxLayout>

namespace vqscope {
namespace {

constexpr int largeLosses = 6;  // the views beside have 3

}  // namespace

SweepDialog* ExperimentPage::sweep() {
  if (m_sweep) return m_sweep;
  m_sweep = new SweepDialog(VQSCOPE_VERSION, require_method, this);
  connect(m_sweep, &SweepDialog::progressShown, this,
          [this](const QString& progress) { m_bar->setSweepProgress(progress); });
  connect(m_sweep, &SweepDialog::runsRequested, this, [this](const QString& folder, const QString& id) {
    m_sweep->hide();
    listFolder(bytesOf(folder), id.toStdString());
  });
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
  decide();
  showFreshness();
  showBar();
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

/// The panel speaks of the running computation, then of the last one as long as the form has its
/// values.
void ExperimentPage::showTraining() {
  const CurveView& view = *views().front();
  const bool busy = view.isBusy();
  const auto wanted = m_wanted.find(views().front());
  const bool met =
      wanted != m_wanted.end() && wanted->second.met && wanted->second.isFor(m_begun.method, m_begun.values);
  const bool shown = view.live() && m_begun.method && (busy || met);
  using Losses = TrainingPanel::Losses;
  const Losses losses = shown && m_begun.method->run()    ? Losses::none
                        : busy && view.curves().x.empty() ? Losses::large
                                                          : Losses::small;
  static_cast<QVBoxLayout*>(layout())->setStretchFactor(m_training, losses == Losses::large ? largeLosses : 0);
  if (shown) {
    m_training->show(*view.live(), busy, losses);
    m_training->setModel(busy ? std::nullopt : trained());
  } else {
    m_training->hide();
  }
  if (busy && !m_live.isActive()) m_live.start();
  if (!busy) m_live.stop();
  showBar();
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
  if (event->type() == QEvent::PaletteChange && views().front()->live()) showTraining();
}

}  // namespace vqscope
