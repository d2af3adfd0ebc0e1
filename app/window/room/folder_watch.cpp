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
#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

constexpr int betweenFolderLooks = 100;  // milliseconds

bool isError(const Finding& finding) { return finding.severity == Severity::error; }

QString nameOf(const QString& path) { return path.mid(path.lastIndexOf(QLatin1Char('/')) + 1); }

/// Errors of reading begin with the file's name.
QString sentenceOf(const QString& name, const QString& sentence) {
  return sentence.startsWith(name) ? sentence : name + QStringLiteral(": ") + sentence;
}

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
  m_folder = std::make_shared<WatchedFolder>(bytesOf(folder));
  m_clock.start();
  m_looks.start();
  show();
  showState();
  look();
}

void FolderWatch::close() {
  m_looks.stop();
  m_looking.stop();  // a look that goes on has the folder for itself
  m_checks.stop();
  m_shown.clear();
  m_folder.reset();
  m_waiting.clear();
  m_leftOut = 0;
  m_isHurried = false;
  m_last.clear();
  hide();
}

void FolderWatch::resume() {
  m_looks.isActive() ? m_looks.stop() : m_looks.start();
  showState();
  checkNext();
}

void FolderWatch::lookNow() {
  m_isHurried = isWatching();
  if (m_isHurried) look();
}

void FolderWatch::look() {
  if (m_looking.isBusy()) return;
  const Index now = m_clock.elapsed() + m_ahead;
  if (std::exchange(m_isHurried, false)) m_ahead += WatchTimes().settled;
  m_looking.run<Looked>([folder = m_folder, shown = m_shown, now, later = m_clock.elapsed() + m_ahead](
                            const std::stop_token&) { return lookedAt(*folder, shown, now, later); },
                        [this](const Looked& looked) { take(looked); });
}

FolderWatch::Looked FolderWatch::lookedAt(WatchedFolder& folder, const QString& shown, Index now, Index later) {
  auto arrivals = folder.look(now);
  if (arrivals && later > now) {
    const auto more = folder.look(later);
    if (!more) return {more.error()};
    arrivals->insert(arrivals->end(), more->begin(), more->end());
  }
  return {std::move(arrivals), shown.isEmpty() || stamp_of(bytesOf(shown)).has_value()};
}

/// A file that is written once more is checked once, with its newest content.
void FolderWatch::await(const QString& path) {
  std::erase(m_waiting, path);
  m_waiting.push_back(path);
  if (m_waiting.size() <= mostWaiting) return;
  m_waiting.pop_front();
  ++m_leftOut;
}

void FolderWatch::take(const Looked& looked) {
  if (!looked.arrivals) {
    m_looks.stop();
    showState();
    return emit notified(text(looked.arrivals.error().message), true);
  }
  for (const auto& arrival : *looked.arrivals) await(textOfBytes(arrival.path));
  if (!looked.isShownThere && !m_shown.isEmpty())
    emit fileLost(tr("%1 was deleted or renamed").arg(nameOf(std::exchange(m_shown, {}))));
  checkNext();
  if (m_isHurried) look();
}

void FolderWatch::showFile(const Checked& checked) {
  m_shown = checked.file;
  emit fileShown(checked.path);
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
        Checked checked{textOfBytes(path), file, nameOf(file)};
        const auto read = read_batch(path, {.stop = stop});
        if (!read) {
          checked.sentence = withoutFolder(text(read.error().message), file);
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
  if (checked.isRead && (broken || m_waiting.empty())) showFile(checked);
  if (!checked.isRead && m_waiting.empty()) emit fileLost(checked.sentence);
  if (broken) emit notified(sentenceOf(checked.name, checked.sentence), true);
  checkNext();
}

void FolderWatch::pick(Index file) {
  m_strip->setCurrent(file, 0);
  const Checked& picked = m_last[static_cast<std::size_t>(file)];
  m_label->setText(sentenceOf(picked.name, picked.sentence));
  if (picked.isRead) showFile(picked);
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
  const QString leftOut =
      m_leftOut > 0 ? QLatin1Char(' ') +
                          tr("%1 came too fast and were left out.").arg(counted(m_leftOut, tr("file"), tr("files")))
                    : QString();
  const QString last =
      m_last.empty() ? QString() : QLatin1Char(' ') + sentenceOf(m_last.back().name, m_last.back().sentence);
  m_label->setText((isWatching() ? tr("Watching %1.") : tr("Stopped watching %1.")).arg(folder) + leftOut + last);
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
