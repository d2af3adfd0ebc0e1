// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/folder_watch.h"

#include "core/catalogue/registry.h"
#include "core/lint/batch/read_batch.h"
#include "core/mask/batch/batch_members.h"
#include "widgets/mask/source/sample_strip.h"
#include "widgets/parts/eliding_label.h"
#include "widgets/parts/text.h"
#include "widgets/session/workbench.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int betweenFolderLooks = 100;  // milliseconds

bool isError(const Finding& finding) { return finding.severity == Severity::error; }

QString nameOf(const QString& path) { return QFileInfo(path).fileName(); }

}  // namespace

FolderWatch::FolderWatch(Workbench& workbench, QWidget* parent)
    : QFrame(parent),
      m_workbench(workbench),
      m_label(new ElidingLabel(this)),
      m_strip(new SampleStrip(this)),
      m_stop(new QPushButton(this)) {
  setProperty("class", "message");
  m_looks.setInterval(betweenFolderLooks);
  connect(&m_looks, &QTimer::timeout, this, &FolderWatch::look);
  m_label->setTextFormat(Qt::PlainText);
  m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_strip->setAccessibleName(tr("The last files of the folder"));
  connect(m_strip, &SampleStrip::picked, this, [this](Index file, Index) { pick(file); });
  connect(m_stop, &QPushButton::clicked, this, &FolderWatch::resume);
  auto* away = new QToolButton(this);
  away->setText(QStringLiteral("×"));
  away->setAutoRaise(true);
  away->setToolTip(tr("Stop watching the folder"));
  away->setAccessibleName(away->toolTip());
  connect(away, &QToolButton::clicked, this, &FolderWatch::close);
  auto* row = new QHBoxLayout;
  row->addWidget(m_label, 1);
  row->addWidget(m_stop);
  row->addWidget(away);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(12, 5, 6, 5);
  rows->setSpacing(5);
  rows->addLayout(row);
  rows->addWidget(m_strip);
  hide();
}

void FolderWatch::choose() {
  const QString folder = QFileDialog::getExistingDirectory(window(), tr("Watch a folder into which masks are written"));
  if (!folder.isEmpty()) start(folder);
}

void FolderWatch::start(const QString& folder) {
  close();
  m_folder.emplace(bytesOf(folder));
  m_clock.start();
  m_looks.start();
  show();
  showState();
  look();
}

void FolderWatch::close() {
  m_looks.stop();
  m_checks.stop();
  m_folder.reset();
  m_waiting.clear();
  m_last.clear();
  hide();
}

void FolderWatch::resume() {
  m_looks.isActive() ? m_looks.stop() : m_looks.start();
  showState();
  checkNext();
}

void FolderWatch::lookNow() {
  look();
  m_ahead += WatchTimes().settled;
  if (isWatching()) look();
}

void FolderWatch::look() {
  const auto arrivals = m_folder->look(m_clock.elapsed() + m_ahead);
  if (!arrivals) {
    m_looks.stop();
    showState();
    return emit notified(text(arrivals.error().message), true);
  }
  for (const auto& arrival : *arrivals) m_waiting.push_back(text(arrival.path));
  checkNext();
}

void FolderWatch::checkNext() {
  if (m_waiting.empty() || m_checks.isBusy() || !m_looks.isActive()) return;
  const QString file = m_waiting.front();
  m_waiting.pop_front();
  const ShownPage& page = m_workbench.page("masks");
  m_checks.run<Checked>(
      [file, values = carried_values(*find_method("visibility"), page.values),
       stated = page.lint](const std::stop_token& stop) {
        const std::string path = mask_in_file(bytesOf(file)).path;
        Checked checked{text(path), nameOf(file)};
        const auto read = read_batch(path, {.stop = stop});
        if (!read) {
          checked.sentence = text(read.error().message);
          return checked;
        }
        checked.isRead = true;
        for (const BatchLook& each : batch_looks(read->batch, {values, stated}, stop).all)
          checked.look.findings.insert(checked.look.findings.end(), each.findings.begin(), each.findings.end());
        auto& findings = checked.look.findings;
        std::stable_partition(findings.begin(), findings.end(), isError);
        checked.sentence = findings.empty() ? tr("no rule is broken") : text(findings.front().sentence);
        return checked;
      },
      [this](const Checked& checked) { add(checked); });
}

void FolderWatch::add(const Checked& checked) {
  if (!m_folder) return;
  m_last.push_back(checked);
  if (m_last.size() > mostFiles) m_last.pop_front();
  const bool broken = std::ranges::any_of(checked.look.findings, isError);
  if (broken) m_looks.stop();
  showState();
  if (checked.isRead && (broken || m_waiting.empty())) emit fileShown(checked.path);
  if (broken) emit notified(tr("%1: %2").arg(checked.name, checked.sentence), true);
  checkNext();
}

void FolderWatch::pick(Index file) {
  m_strip->setCurrent(file, 0);
  const Checked& picked = m_last[static_cast<std::size_t>(file)];
  m_label->setText(tr("%1: %2").arg(picked.name, picked.sentence));
  if (picked.isRead) emit fileShown(picked.path);
}

void FolderWatch::showState() {
  std::vector<BatchLook> looks;
  QStringList names;
  for (const Checked& each : m_last) {
    looks.push_back(each.look);
    names << (each.isRead ? each.name : tr("%1, not read: %2").arg(each.name, each.sentence));
  }
  m_strip->setVisible(!m_last.empty());
  m_strip->setNames(names);
  m_strip->setSamples(std::ssize(m_last), 1, std::move(looks));
  m_strip->setCurrent(std::ssize(m_last) - 1, 0);
  const QString folder = m_folder ? nameOf(text(m_folder->folder())) : QString();
  const QString last = m_last.empty() ? QString() : tr(" %1: %2").arg(m_last.back().name, m_last.back().sentence);
  m_label->setText((isWatching() ? tr("Watching %1.") : tr("Stopped watching %1.")).arg(folder) + last);
  m_stop->setText(isWatching() ? tr("Stop") : tr("Go on"));
  m_stop->setToolTip(isWatching() ? tr("Leave new files alone") : tr("Check the files that are written from now on"));
}

QString FolderWatch::sentence() const { return m_label->text(); }

QStringList FolderWatch::files() const {
  QStringList names;
  for (const Checked& each : m_last) names << each.name;
  return names;
}

}  // namespace vqscope
