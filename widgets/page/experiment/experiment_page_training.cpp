// SPDX-License-Identifier: GPL-3.0-or-later
// Trainings of the page: how they do, their files and their models.
#include "widgets/page/experiment/experiment_bar.h"
#include "widgets/page/experiment/experiment_page.h"
#include "widgets/page/experiment/generate_dialog.h"
#include "widgets/page/experiment/run_files.h"
#include "widgets/page/experiment/training_panel.h"
#include "widgets/parts/live_curves.h"
#include "widgets/parts/text.h"
#include "widgets/view/curve_view.h"

#include <QEvent>

namespace vqscope {

std::optional<TrainedRun> ExperimentPage::trained() const {
  const auto wanted = m_wanted.find(views().front());
  if (wanted == m_wanted.end() || !wanted->second.met) return std::nullopt;
  return m_last->find(*wanted->second.method, wanted->second.values);
}

/// The panel speaks of the running computation, then of the last one as long as the form has its values.
void ExperimentPage::showTraining() {
  const CurveView& view = *views().front();
  const bool busy = view.isBusy();
  const auto wanted = m_wanted.find(views().front());
  const bool shown = wanted != m_wanted.end() && view.live() && (busy || wanted->second.met);
  if (shown) {
    m_training->show(*view.live(), busy, !wanted->second.method->run());
    m_training->setModel(!busy && trained().has_value());
  } else {
    m_training->hide();
  }
  if (busy && !m_live.isActive()) m_live.start();
  if (!busy) m_live.stop();
  showBar();
}

void ExperimentPage::onFileChosen(const std::string& input) {
  WorkspaceState next = state();
  const auto paths = m_bar->files()->paths();
  if (input == "text" && paths.contains(input)) next.values.set("data", std::string("text"));
  for (auto& [view, wanted] : m_wanted)
    if (wanted.method->run()) wanted.met = false;
  if (next.values != state().values) {
    if (const auto done = m_workbench.edit(tr("Train on a text"), next); !done) m_bar->say(text(done.error().message));
  } else if (m_read) {
    decide();
  }
  showFreshness();
  showTraining();
}

void ExperimentPage::saveModel() {
  const auto model = trained();
  if (!model) return;
  const auto saved = askAndSaveRun(*model->result, window());
  if (!saved)
    emit said(text(saved.error().message), true);
  else if (!saved->isEmpty())
    emit said(*saved, false);
}

void ExperimentPage::generate() {
  const auto model = trained();
  if (!model) return;
  if (!m_generate) m_generate = new GenerateDialog(window());
  const auto state = views().front()->live()->trainings().state();
  m_generate->setModel(*model, state ? state->sample.given : std::string());
  m_generate->show();
  m_generate->raise();
  m_generate->activateWindow();
  m_generate->write();
}

void ExperimentPage::changeEvent(QEvent* event) {
  CurvePage::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && views().front()->live()) showTraining();
}

}  // namespace vqscope
