// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/sweep_dialog.h"

#include "core/base/text.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/sweep/checked_sweep.h"
#include "widgets/sweep/merged_table.h"
#include "widgets/sweep/point_table.h"
#include "widgets/sweep/sweep_setup.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTabWidget>

namespace vqscope {
namespace {

constexpr double leastFraction = 0.01;           // minimum fraction of the work for an estimate of the remaining time
constexpr double leastSeconds = 3;               // or minimum time
constexpr qsizetype longestCommandLine = 65536;  // many systems allow 128 KiB for each argument
enum Tab { pointsTab, mergedTab };

/// "12 points", "1 point".
QString pointsText(Index count) {
  return count == 1 ? SweepDialog::tr("1 point") : SweepDialog::tr("%1 points").arg(text(grouped(count)));
}

}  // namespace

/// Ignores tab changes while the tabs are destroyed.
SweepDialog::~SweepDialog() { m_tabs->disconnect(this); }

bool SweepDialog::isBusy() const {
  return m_checking.isBusy() || m_sweeping.isBusy() || m_saving.isBusy() || m_loading.isBusy() || m_merged->isBusy();
}

void SweepDialog::setBase(const Method& method, const ParameterValues& values) {
  if (!m_held) return m_setup->setBase(method, values);
  const SweepPlan now = m_setup->plan();
  m_nextBase.reset();
  if (now.method != &method || now.values != values) m_nextBase = {&method, values};
  showState();
}

/// The input no longer describes the started sweep, and the form may have changed too.
void SweepDialog::edited() {
  if (m_running) return;
  m_held = false;
  if (m_nextBase)
    takeForm();
  else
    recheck();
}

void SweepDialog::takeForm() {
  m_held = false;
  if (const auto next = std::exchange(m_nextBase, {})) m_setup->setBase(*next->first, next->second);
}

void SweepDialog::recheck() {
  if (!m_setup->plan().method) return;
  m_checked.reset();
  showCount(tr("Counting the points"), false);
  m_checking.run<CheckedSweepResult>([plan = m_setup->plan(), folder = bytesOf(m_setup->folder())](
                                         std::stop_token stop) { return checkSweep(plan, folder, stop); },
                                     [this](CheckedSweepResult checked) { takeChecked(std::move(checked)); });
  showState();
}

void SweepDialog::takeChecked(CheckedSweepResult checked) {
  m_checked = checked ? *checked : nullptr;
  m_stopped = false;
  showMessage({}, false);
  if (m_checked)
    m_points->points()->setSweep(m_checked->sweep, m_checked->finished);
  else
    m_points->points()->setSweep(nullptr, {});
  m_points->fitColumns();
  m_setup->showOwnFolder(m_checked && m_setup->folder().isEmpty() ? text(m_checked->folder) : QString());
  const auto totals = m_points->points()->totals();
  QString words = checked ? pointsText(totals.points) : text(checked.error().message);
  if (totals.finished > 0)
    words = totals.finished == totals.points ? tr("%1, all finished").arg(words)
                                             : tr("%1, %2 of them finished").arg(words, text(grouped(totals.finished)));
  showCount(words, !checked && checked.error().code != Errc::not_found);
  if (totals.finished == 0) m_tabs->setCurrentIndex(pointsTab);
  showMerged();
  showState();
}

void SweepDialog::showCount(const QString& sentence, bool bad) {
  m_count->setProperty("class", bad ? "error" : "secondary");
  m_count->style()->polish(m_count);
  m_count->setText(sentence);
}

void SweepDialog::start() {
  if (!m_checked || m_running) return;
  m_running = m_held = true;
  m_stopped = false;
  m_stopping = {};
  m_progress = std::make_shared<PointProgress>();
  m_points->points()->rest();
  m_tabs->setCurrentIndex(pointsTab);
  m_setup->setEnabled(false);
  showMessage({}, false);
  m_before = m_points->points()->totals().fraction;
  m_clock.start();
  m_tick.start();
  SweepRun run{.folder = m_checked->folder,
               .points = m_points->points()->unfinished(),
               .jobs = m_setup->jobs(),
               .continue_on_failure = true,
               .version = m_version,
               .stop = m_stopping.get_token(),
               .notify = [progress = m_progress](const PointReport& report) { progress->take(report); }};
  m_sweeping.run<Result<void>>(
      [run, sweep = m_checked->sweep, stopping = m_stopping](std::stop_token closing) mutable {
        const std::stop_callback onClosing(closing, [&stopping] { stopping.request_stop(); });
        if (auto begun = begin_sweep(run.folder, *sweep); !begun) return begun;
        return carry_out_points(*sweep, run);
      },
      [this](const Result<void>& outcome) { finish(outcome); });
  showState();
  m_stop->setFocus();
}

void SweepDialog::stopSweep() {
  if (!m_running) return;
  m_stopping.request_stop();
  m_stopped = true;
  showState();
}

void SweepDialog::finish(const Result<void>& outcome) {
  m_tick.stop();
  takeProgress();
  m_running = false;
  m_setup->setEnabled(true);
  m_stopped = !outcome && outcome.error().code == Errc::cancelled;
  if (!outcome && !m_stopped) showMessage(text(outcome.error().message), true);
  if (const auto failed = m_points->points()->firstOf(PointState::failed)) showFailure(*failed);
  const auto totals = m_points->points()->totals();
  const bool focused = m_stop->hasFocus();
  if (totals.failed == 0 && totals.finished > 0) m_tabs->setCurrentIndex(mergedTab);
  showMerged();
  showState();
  if (focused) (m_start->isEnabled() ? m_start : m_save)->setFocus();
  if (!m_stopped)
    emit ended(outcome ? stateWords() : text(outcome.error().message), static_cast<double>(m_clock.elapsed()) / 1000);
}

void SweepDialog::loadSweep() {
  m_loading.run<Result<Sweep>>(
      [folder = bytesOf(m_setup->folder()), find = m_find](std::stop_token) { return open_sweep(folder, find); },
      [this](const Result<Sweep>& sweep) { takeLoaded(sweep); });
}

void SweepDialog::takeLoaded(const Result<Sweep>& sweep) {
  if (!sweep) return showMessage(text(sweep.error().message), true);
  const SweepPlan plan = plan_of(*sweep);
  m_held = false;
  m_nextBase.reset();
  m_setup->setBase(*plan.method, plan.values);
  m_setup->setVaried(plan.varied);
  emit loaded(plan.method, plan.values);
}

/// Its line in the table has room for the beginning alone.
void SweepDialog::showFailure(int row) {
  const PointReport& point = m_points->points()->point(row);
  if (point.state == PointState::failed) showMessage(text(point.sentence), true);
}

void SweepDialog::takeProgress() {
  if (m_progress) m_points->points()->take(m_progress->all());
  m_points->follow();
  showState();
}

QString SweepDialog::stateWords() const {
  const auto totals = m_points->points()->totals();
  if (totals.points == 0) return {};
  QStringList parts{tr("%1 of %2 done").arg(text(grouped(totals.finished)), pointsText(totals.points))};
  if (totals.failed > 0) parts << tr("%1 failed").arg(text(grouped(totals.failed)));
  if (!m_running) {
    if (m_stopped) parts << tr("stopped");
    return parts.join(QStringLiteral(" · "));
  }
  if (m_stopped) return (parts << tr("stopping")).join(QStringLiteral(" · "));
  // Estimate from the finished part of the work and its duration.
  const double done = totals.fraction - m_before, seconds = static_cast<double>(m_clock.elapsed()) / 1000;
  if (done > leastFraction || (done > 0 && seconds > leastSeconds))
    parts << tr("about %1 left").arg(durationText(seconds * (1 - totals.fraction) / done));
  return parts.join(QStringLiteral(" · "));
}

void SweepDialog::showState() {
  const auto totals = m_points->points()->totals();
  const QString words = stateWords();
  m_state->setText(words);
  m_state->setToolTip(words);
  m_bar->setVisible(totals.points > 0);
  m_bar->setValue(static_cast<int>(1000 * totals.fraction));
  m_start->setVisible(!m_running);
  m_start->setEnabled(m_checked && totals.finished < totals.points);
  m_start->setText(totals.finished > 0 && totals.finished < totals.points ? tr("Continue") : tr("Start"));
  m_stop->setVisible(m_running);
  m_stop->setText(m_running && m_stopped ? tr("Stopping") : tr("Stop"));
  m_copy->setEnabled(m_checked != nullptr);
  m_takeForm->setVisible(m_nextBase && !m_running);
  m_load->setVisible(!m_checked && !m_checking.isBusy() &&
                     QFileInfo::exists(m_setup->folder() + QStringLiteral("/sweep.json")));
  m_save->setEnabled(totals.finished > 0 && !m_saving.isBusy());
  m_runs->setEnabled(totals.finished > 0);
  emit progressShown(m_running
                         ? tr("%1/%2").arg(text(grouped(totals.finished + totals.failed)), text(grouped(totals.points)))
                         : QString());
}

void SweepDialog::showMerged() {
  if (m_tabs->currentIndex() != mergedTab) return;
  if (m_checked && m_points->points()->totals().finished > 0)
    m_merged->show(m_checked->sweep, m_checked->folder);
  else
    m_merged->show(nullptr, {});
}

QString SweepDialog::commandLine() const {
  if (!m_checked) return {};
  return text(command_line(sweep_words(m_checked->plan, *m_checked->sweep, m_checked->folder, m_setup->jobs())));
}

void SweepDialog::copyCommand() {
  const QString line = commandLine();
  if (line.size() > longestCommandLine)
    return showMessage(
        tr("The command would be %1 characters long; the limit is %2").arg(line.size()).arg(longestCommandLine), true);
  QApplication::clipboard()->setText(line);
  showMessage(tr("Copied: %1").arg(text(shortened(line.toStdString(), 200))), false);
}

void SweepDialog::chooseAndSave() {
  if (!m_checked) return;
  const QString name = text(m_checked->sweep->method->id) + QStringLiteral(".csv");
  const QString path = chooseSavePath(this, tr("Save table"), name, tr("CSV (*.csv)"), QStringLiteral("csv"));
  if (!path.isEmpty()) saveTable(path);
}

void SweepDialog::saveTable(const QString& path) {
  if (!m_checked) return;
  m_saving.run<Result<double>>([sweep = m_checked->sweep, folder = m_checked->folder, file = bytesOf(path)](
                                   std::stop_token stop) { return writeMerged(*sweep, folder, file, stop); },
                               [this, path](const Result<double>& size) {
                                 if (size)
                                   showMessage(tr("Wrote %1, %2").arg(path, text(byte_count(*size))), false);
                                 else
                                   showMessage(text(size.error().message), true);
                                 showState();
                               });
  showMessage(tr("Writing %1").arg(path), false);
  showState();
}

void SweepDialog::showMessage(const QString& sentence, bool bad) {
  m_words->setProperty("class", bad ? "error" : "secondary");
  m_words->style()->polish(m_words);
  m_words->setText(sentence);
}

}  // namespace vqscope
