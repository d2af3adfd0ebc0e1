// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/sweep_dialog.h"

#include "core/base/text.h"
#include "core/io/bytes/whole_file.h"
#include "core/run/sweep_table.h"
#include "widgets/parts/duration_text.h"
#include "widgets/parts/file_name.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/save_path.h"
#include "widgets/parts/text.h"
#include "widgets/sweep/merged_table.h"
#include "widgets/sweep/point_news.h"
#include "widgets/sweep/point_table.h"
#include "widgets/sweep/sweep_setup.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

namespace vqscope {
namespace {

constexpr int widthOfStart = 92;                 // with room for "Continue", which is bold
constexpr double leastShare = 0.01;              // of the work before its end is estimated
constexpr double leastSeconds = 3;               // or so long
constexpr int tick = 100;                        // milliseconds between two looks at the points
constexpr qsizetype longestCommandLine = 65536;  // of many systems 128 KiB a word
enum Tab { pointsTab, mergedTab };

QPushButton* dialogButton(const char* name, const QString& title, const QString& tip, QWidget* parent) {
  auto* button = new QPushButton(title, parent);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tip);
  button->setAutoDefault(false);
  return button;
}

/// "12 points", "1 point".
QString pointsText(Index count) {
  return count == 1 ? SweepDialog::tr("1 point") : SweepDialog::tr("%1 points").arg(text(grouped(count)));
}

Result<qint64> writeTable(const Sweep& sweep, const std::string& folder, const std::string& path,
                          const std::stop_token& stop) {
  auto file = WholeFile::open(path);
  if (!file) return file.error();
  const auto report = merge_sweep(sweep, {folder}, **file, stop);
  if (!report) return report.error();
  WholeFiles files;
  files.push_back(std::move(*file));
  if (auto done = commit(files); !done) return done.error();
  return QFileInfo(text(path)).size();
}

}  // namespace

SweepDialog::SweepDialog(std::string version, QWidget* parent)
    : QDialog(parent),
      m_version(std::move(version)),
      m_setup(new SweepSetup(this)),
      m_points(new PointTable(this)),
      m_merged(new MergedTable(this)) {
  setWindowTitle(tr("Sweep"));
  setWindowFlag(Qt::WindowMaximizeButtonHint);
  resize(QSize(900, 560).boundedTo(screen()->availableSize() - QSize(20, 60)));  // within a frame
  auto* across = new QSplitter(Qt::Horizontal, this);
  across->setChildrenCollapsible(false);
  across->setHandleWidth(1);
  across->addWidget(makeLeft());
  across->addWidget(makeRight());
  across->setSizes({360, 540});
  across->setStretchFactor(0, 0);
  across->setStretchFactor(1, 1);
  auto* column = new QVBoxLayout(this);
  column->addWidget(across, 1);
  column->addWidget(makeFoot());
  m_tick.setInterval(tick);
  connect(&m_tick, &QTimer::timeout, this, &SweepDialog::takeNews);
  connect(m_setup, &SweepSetup::changed, this, &SweepDialog::recheck);
  connect(m_tabs, &QTabWidget::currentChanged, this, &SweepDialog::showMerged);
  connect(m_points, &PointTable::opened, this, [this](int row) {
    if (m_checked) emit runsAsked(text(m_checked->folder), text(sweep_point(*m_checked->sweep, row).id));
  });
  m_merged->show(nullptr, {});
  showState();
}

/// Tabs that go one after the other are no tabs that a person chooses.
SweepDialog::~SweepDialog() { m_tabs->disconnect(this); }

QWidget* SweepDialog::makeLeft() {
  auto* content = new QWidget(this);
  auto* inner = new QVBoxLayout(content);
  inner->setContentsMargins(0, 0, 12, 0);
  inner->addWidget(m_setup);
  inner->addStretch(1);
  auto* left = new QWidget(this);
  left->setMinimumWidth(300);
  m_count = paragraph(left);
  m_count->setObjectName(QStringLiteral("count"));
  m_start = dialogButton("start", tr("Start"), tr("Compute the points that are not finished"), left);
  m_start->setDefault(true);
  m_start->setMinimumWidth(widthOfStart);
  m_stop = dialogButton("stop", tr("Stop"), tr("End the sweep; finished points are kept"), left);
  m_copy = dialogButton("copy", tr("Copy command"), tr("Copy the vqscope sweep command that does the same"), left);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(0, 0, 12, 0);
  row->addWidget(m_start);
  row->addWidget(m_stop);
  row->addStretch(1);
  row->addWidget(m_copy);
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(scrolled(content), 1);
  column->addWidget(m_count);
  column->addLayout(row);
  connect(m_start, &QPushButton::clicked, this, &SweepDialog::start);
  connect(m_stop, &QPushButton::clicked, this, &SweepDialog::stopSweep);
  connect(m_copy, &QPushButton::clicked, this, &SweepDialog::copyCommand);
  return left;
}

QWidget* SweepDialog::makeRight() {
  auto* right = new QWidget(this);
  right->setMinimumWidth(300);
  m_state = new QLabel(right);
  m_state->setObjectName(QStringLiteral("state"));
  m_state->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_bar = new QProgressBar(right);
  m_bar->setRange(0, 1000);
  m_bar->setTextVisible(false);
  m_tabs = new QTabWidget(right);
  m_tabs->addTab(m_points, tr("Points"));
  m_tabs->addTab(m_merged, tr("Merged table"));
  auto* column = new QVBoxLayout(right);
  column->setContentsMargins(12, 0, 0, 0);
  column->addWidget(m_state);
  column->addWidget(m_bar);
  column->addWidget(m_tabs, 1);
  return right;
}

QWidget* SweepDialog::makeFoot() {
  auto* foot = new QWidget(this);
  m_words = paragraph(foot);
  m_words->setObjectName(QStringLiteral("words"));
  m_runs = dialogButton("runs", tr("Show runs"), tr("List the runs of the folder on the page"), foot);
  m_save = dialogButton("save", tr("Save table…"), tr("Save what vqscope merge writes, as CSV"), foot);
  auto* close = dialogButton("close", tr("Close"), tr("A sweep that is running goes on"), foot);
  auto* row = new QHBoxLayout(foot);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(m_words, 1);
  row->addWidget(m_runs);
  row->addWidget(m_save);
  row->addWidget(close);
  connect(m_runs, &QPushButton::clicked, this, [this] {
    if (m_checked) emit runsAsked(text(m_checked->folder), {});
  });
  connect(m_save, &QPushButton::clicked, this, &SweepDialog::askSave);
  connect(close, &QPushButton::clicked, this, &QDialog::close);
  return foot;
}

bool SweepDialog::isBusy() const {
  return m_checking.isBusy() || m_sweeping.isBusy() || m_saving.isBusy() || m_merged->isBusy();
}

void SweepDialog::setBase(const Method& method, const ParameterValues& values) {
  if (m_running)
    m_nextBase = {&method, values};
  else
    m_setup->setBase(method, values);
}

SweepDialog::CheckedResult SweepDialog::check(const SweepPlan& plan, const std::string& folder,
                                              const std::stop_token& stop) {
  if (plan.varied.empty() && plan.seeds < 2)
    return Error{Errc::not_found, "Enter a parameter that varies, or more than one seed."};
  auto sweep = sweep_of(plan, stop);
  if (!sweep) return sweep.error();
  if (!folder.empty() && folder.front() != '/')
    return invalid("the folder of results is " + shortened(folder, 200) + ", must be a whole path that begins with /");
  auto checked = std::make_shared<Checked>();
  checked->plan = plan;
  checked->folder = folder.empty() ? default_sweep_folder(*sweep) : folder;
  auto finished = finished_points(checked->folder, *sweep, stop);
  if (!finished) return finished.error();
  checked->finished = std::move(*finished);
  checked->sweep = std::make_shared<const Sweep>(std::move(*sweep));
  return std::shared_ptr<const Checked>(std::move(checked));
}

void SweepDialog::recheck() {
  if (m_running || !m_setup->plan().method) return;
  m_checked.reset();
  m_count->setProperty("class", "secondary");
  m_count->setText(tr("Counting the points"));
  showState();
  m_checking.run<CheckedResult>([plan = m_setup->plan(), folder = bytesOf(m_setup->folder())](
                                    std::stop_token stop) { return check(plan, folder, stop); },
                                [this](CheckedResult checked) { takeChecked(std::move(checked)); });
}

void SweepDialog::takeChecked(CheckedResult checked) {
  m_checked = checked ? *checked : nullptr;
  m_stopped = false;
  say({}, false);
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
  m_count->setText(words);
  const bool wrong = !checked && checked.error().code != Errc::not_found;
  m_count->setProperty("class", wrong ? "error" : "secondary");
  m_count->style()->polish(m_count);
  showMerged();
  showState();
}

void SweepDialog::start() {
  if (!m_checked || m_running) return;
  m_running = true;
  m_stopped = false;
  m_stopping = {};
  m_news = std::make_shared<PointNews>();
  m_points->points()->rest();
  m_tabs->setCurrentIndex(pointsTab);
  m_setup->setEnabled(false);
  say({}, false);
  m_before = m_points->points()->totals().fraction;
  m_clock.start();
  m_tick.start();
  SweepRun run{.folder = m_checked->folder,
               .points = m_points->points()->unfinished(),
               .jobs = m_setup->jobs(),
               .goes_on = true,
               .version = m_version,
               .stop = m_stopping.get_token(),
               .tell = [news = m_news](const PointReport& report) { news->take(report); }};
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
  takeNews();
  m_running = false;
  m_setup->setEnabled(true);
  m_stopped = !outcome && outcome.error().code == Errc::cancelled;
  if (!outcome && !m_stopped) say(text(outcome.error().message), true);
  const auto totals = m_points->points()->totals();
  const bool focused = m_stop->hasFocus();
  if (totals.failed == 0 && totals.finished > 0) m_tabs->setCurrentIndex(mergedTab);
  showMerged();
  showState();
  if (focused) (m_start->isEnabled() ? static_cast<QWidget*>(m_start) : m_tabs)->setFocus();
  if (const auto next = std::exchange(m_nextBase, {})) m_setup->setBase(*next->first, next->second);
}

void SweepDialog::takeNews() {
  if (m_news) m_points->points()->take(m_news->all());
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
  // Of what was to be done, so much took so long.
  const double done = totals.fraction - m_before, seconds = static_cast<double>(m_clock.elapsed()) / 1000;
  if (done > leastShare || (done > 0 && seconds > leastSeconds))
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
    return say(
        tr("The command would be %1 characters long, at most %2 are possible").arg(line.size()).arg(longestCommandLine),
        true);
  QApplication::clipboard()->setText(line);
  say(tr("Copied: %1").arg(text(shortened(line.toStdString(), 200))), false);
}

void SweepDialog::askSave() {
  if (!m_checked) return;
  const QString name = text(m_checked->sweep->method->id) + QStringLiteral(".csv");
  const QString path = askSavePath(this, tr("Save table"), name, tr("CSV (*.csv)"), QStringLiteral("csv"));
  if (!path.isEmpty()) saveTable(path);
}

void SweepDialog::saveTable(const QString& path) {
  if (!m_checked) return;
  m_saving.run<Result<qint64>>(
      [sweep = m_checked->sweep, folder = m_checked->folder, file = bytesOf(path)](std::stop_token stop) {
        return writeTable(*sweep, folder, file, stop);
      },
      [this, path](const Result<qint64>& size) {
        if (size)
          say(tr("Wrote %1, %2").arg(path, text(byte_count(static_cast<double>(*size)))), false);
        else
          say(text(size.error().message), true);
        showState();
      });
  say(tr("Writing %1").arg(path), false);
  showState();
}

void SweepDialog::say(const QString& sentence, bool bad) {
  m_words->setProperty("class", bad ? "error" : "secondary");
  m_words->style()->polish(m_words);
  m_words->setText(sentence);
}

}  // namespace vqscope
