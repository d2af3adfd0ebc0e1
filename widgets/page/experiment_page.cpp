// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/experiment_page.h"

#include "core/base/text.h"
#include "core/catalogue/registry.h"
#include "core/run/run_chart.h"
#include "core/run/run_keeper.h"
#include "core/run/sweep.h"
#include "widgets/page/preset_bar.h"
#include "widgets/page/run_list.h"
#include "widgets/parts/duration_text.h"
#include "widgets/parts/text.h"
#include "widgets/plot/value_summary.h"
#include "widgets/sweep/sweep_dialog.h"
#include "widgets/view/curve_view.h"
#include "widgets/view/view_header.h"

#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace vqscope {
namespace {

constexpr int pause = 150;      // milliseconds; collects several file changes into one reading
constexpr double atOnce = 1.0;  // seconds; shorter measurements start by themselves

/// Whether the curves are a measurement of this page; other curves are computed as on any page.
bool isExperiment(const Method& method) { return method.category == "experiments"; }

}  // namespace

ExperimentPage::ExperimentPage(Workbench& workbench, const WorkspaceInfo& info, QWidget* parent)
    : CurvePage(workbench, info, parent), m_note(new PresetNote(this)), m_list(new RunList(m_store, this)) {
  prepare(*views().front());
  auto* column = static_cast<QVBoxLayout*>(layout());
  column->insertWidget(0, makeBar());
  column->insertWidget(1, m_note);
  column->setStretch(2, 3);  // the views
  column->addWidget(m_list, 2);
  m_list->hide();
  m_reread.setSingleShot(true);
  m_reread.setInterval(pause);
  connect(&m_reread, &QTimer::timeout, this, &ExperimentPage::readRuns);
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, [this] { m_reread.start(); });
  connect(m_list, &RunList::changed, this, &ExperimentPage::readRuns);
  connect(m_list, &RunList::keptAsked, this, [this] { listFolder(m_store.folder(), {}); });
  readRuns();
}

QWidget* ExperimentPage::makeBar() {
  auto* bar = new QWidget(this);
  bar->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(12, 6, 12, 6);
  m_run = new QPushButton(tr("Run"), bar);
  m_run->setObjectName(QStringLiteral("run"));
  m_run->setToolTip(tr("Measure with the values of the form and keep the run"));
  m_stop = new QPushButton(tr("Stop"), bar);
  m_stop->setObjectName(QStringLiteral("stop"));
  m_stop->setToolTip(tr("End the measurement and keep the results so far as a stopped run"));
  m_stop->hide();
  m_estimate = new ElidedLabel(bar);
  m_estimate->setObjectName(QStringLiteral("estimate"));
  m_estimate->setGreedy();
  m_sweepButton = new QPushButton(tr("Sweep…"), bar);
  m_sweepButton->setObjectName(QStringLiteral("sweep"));
  m_sweepButton->setToolTip(tr("Measure every combination of values of the parameters that you choose"));
  m_showRuns = new QToolButton(bar);
  m_showRuns->setObjectName(QStringLiteral("showRuns"));
  m_showRuns->setText(tr("Runs"));
  m_showRuns->setToolTip(tr("Kept runs: compare, name, note, delete"));
  m_showRuns->setCheckable(true);
  row->addWidget(m_run);
  row->addWidget(m_stop);
  row->addWidget(m_sweepButton);
  row->addSpacing(6);
  row->addWidget(m_estimate, 1);
  auto* presets = new PresetButton(bar);
  connect(presets, &PresetButton::chosen, this, [this](const ExperimentPreset* preset) { usePreset(*preset); });
  row->addWidget(presets);
  row->addWidget(m_showRuns);
  connect(m_run, &QPushButton::clicked, this, &ExperimentPage::runAsked);
  connect(m_stop, &QPushButton::clicked, this, [this] {
    CurveView& view = *views().front();
    view.stop();
    m_wanted[&view].met = false;
    showFreshness();
    showBar();
  });
  connect(m_sweepButton, &QPushButton::clicked, this, [this] {
    sweep()->show();
    sweep()->raise();
    sweep()->activateWindow();
  });
  connect(m_showRuns, &QToolButton::toggled, m_list, &QWidget::setVisible);
  return bar;
}

void ExperimentPage::prepare(CurveView& view) {
  view.setKeeper([store = m_store, problem = m_problem] {
    return [problem, keeper = RunKeeper(store, VQSCOPE_VERSION)](const Method& method, const ParameterValues& values,
                                                                 const CurveSet& curves, double seconds,
                                                                 bool complete) mutable {
      if (!isExperiment(method)) return;
      const Result<void> kept = keeper.keep(method, values, curves, seconds, complete);
      const std::lock_guard lock(problem->mutex);
      problem->sentence = kept ? std::string() : "the run is not kept: " + kept.error().message;
    };
  });
  connect(&view, &CurveView::finished, this, [this] {
    if (!m_watcher.directories().contains(text(m_store.folder()))) m_reread.start();
    showBar();
  });
}

void ExperimentPage::usePreset(const ExperimentPreset& preset) {
  const auto done = m_workbench.choose(tr("Question: %1").arg(vqscope::text(preset.title)), m_info.id,
                                       *preset.experiment, preset.values);
  if (!done) m_estimate->setText(vqscope::text(done.error().message));
}

void ExperimentPage::sync() {
  CurvePage::sync();
  if (const Method* method = find_method(state().method))
    m_note->show(*method, carried_values(*method, state().values));
  if (m_sweep) setSweepBase();
  showBar();
}

bool ExperimentPage::isBusy() const {
  return CurvePage::isBusy() || m_reading.isBusy() || m_reread.isActive() || (m_sweep && m_sweep->isBusy());
}

/// A view without a result for the values of the form is marked; the page has the state of the large view.
Freshness ExperimentPage::madeFreshness() const {
  const auto wanted = m_wanted.find(views().front());
  if (wanted == m_wanted.end() || wanted->second.met) return {};
  return m_read ? Freshness::onRequest(tr("Not measured with these values yet: press Run")) : Freshness::computing();
}

/// A typed value with an error marks all views; a missing measurement marks its own view only.
void ExperimentPage::showFreshness() {
  const Freshness page = freshness();
  for (auto* view : views()) {
    const auto wanted = m_wanted.find(view);
    Freshness own;
    if (wanted != m_wanted.end() && !wanted->second.met) {
      own = m_read ? Freshness::onRequest(tr("Not measured with these values yet: choose \"%1\" and press Run")
                                              .arg(text(wanted->second.method->title)))
                   : Freshness::computing();
    }
    view->setFreshness(page.isOutdated() && (!page.asks || view == views().front()) ? page : own);
  }
  emit freshnessChanged();
}

void ExperimentPage::showIn(CurveView& view, const Method& method, const ParameterValues& values) {
  if (!isExperiment(method)) {
    m_wanted.erase(&view);
    return CurvePage::showIn(view, method, values);
  }
  Wanted& wanted = m_wanted[&view];
  if (wanted.met && wanted.method == &method && wanted.values == values) return;
  wanted = {&method, values, false};
  if (view.curves().x.empty()) view.header()->setTitle(text(method.title), curveSubtitle(method, values));
  if (m_read) decide();
  showFreshness();
}

void ExperimentPage::decide() {
  for (auto& [view, wanted] : m_wanted) {
    if (wanted.met || !view->isVisibleTo(this)) continue;
    const auto before = time_before(m_runs.runs, wanted.method->id, run_id(*wanted.method, wanted.values));
    if (showKept(*view, *wanted.method, wanted.values)) {
      wanted.met = true;
    } else if (before && before->seconds < atOnce) {
      begin(*view, *wanted.method, wanted.values);
    }
  }
}

bool ExperimentPage::showKept(CurveView& view, const Method& method, const ParameterValues& values) {
  const std::string id = run_id(method, values);
  for (const auto& kept : m_runs.runs) {
    if (kept.run.id != id || !kept.run.complete || kept.run.x.empty()) continue;
    const auto chart = chart_of({kept});
    if (!chart) continue;
    view.stop();
    view.setCurves(text(method.title), curveSubtitle(method, values), chart->curves);
    view.header()->setToolTip(
        tr("Kept run of %1, in %2 s").arg(text(kept.run.when), text(to_text(kept.run.seconds, 3))));
    return true;
  }
  return false;
}

void ExperimentPage::begin(CurveView& view, const Method& method, const ParameterValues& values) {
  m_wanted[&view].met = true;
  view.setMethod(method, values, axesOf(method.id));
}

void ExperimentPage::runAsked() {
  CurveView& view = *views().front();
  const auto wanted = m_wanted.find(&view);
  if (wanted == m_wanted.end()) return;
  begin(view, *wanted->second.method, wanted->second.values);
  showFreshness();
  showBar();
}

bool ExperimentPage::showsBeside(const Method& method) const { return !isExperiment(method); }

QString ExperimentPage::estimate(const Method& method, const ParameterValues& values) const {
  const auto before = time_before(m_runs.runs, method.id, run_id(method, values));
  if (!before) return tr("No run of this experiment yet: its duration is unknown");
  const QString time = durationText(before->seconds);
  return before->same_values ? tr("About %1, as long as the last run with these values").arg(time)
                             : tr("The last run, with other values, took %1").arg(time);
}

void ExperimentPage::showBar() {
  const auto wanted = m_wanted.find(views().front());
  const bool experiment = wanted != m_wanted.end(), busy = views().front()->isBusy();
  m_run->setEnabled(experiment && m_read && (!busy || !wanted->second.met));
  m_stop->setVisible(busy);
  QString words = busy                   ? tr("Running")
                  : experiment && m_read ? estimate(*wanted->second.method, wanted->second.values)
                                         : QString();
  {
    const std::lock_guard lock(m_problem->mutex);
    if (!m_problem->sentence.empty()) words = text(m_problem->sentence);
  }
  m_estimate->setText(words);
}

}  // namespace vqscope
