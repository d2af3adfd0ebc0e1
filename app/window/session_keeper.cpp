// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session_keeper.h"

#include "app/window/window_layout.h"
#include "core/io/bytes/user_folders.h"
#include "widgets/parts/text.h"

#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QScopedValueRollback>

#include <algorithm>
#include <functional>
#include <utility>

namespace vqscope {
namespace {

constexpr int pauseMilliseconds = 200;
constexpr int longestWait = 2000;  // milliseconds, for another window that closes

}  // namespace

SessionKeeper::SessionKeeper(Workbench& workbench, QObject* parent) : QObject(parent), m_workbench(workbench) {
  m_pause.setSingleShot(true);
  m_pause.setInterval(pauseMilliseconds);
  connect(&m_pause, &QTimer::timeout, this, &SessionKeeper::write);
  // changed() is emitted before the step is on the stack, so listen to the stack instead.
  connect(&workbench.undoStack(), &QUndoStack::indexChanged, this, &SessionKeeper::onStep);
  connect(&workbench.undoStack(), &QUndoStack::cleanChanged, this, &SessionKeeper::write);
  connect(&workbench, &Workbench::changed, this, &SessionKeeper::onChanged);
}

Document SessionKeeper::document() const {
  return {m_workbench.session(), m_path, m_workbench.isModified(), QDateTime::currentDateTime()};
}

QStringList SessionKeeper::begin() {
  QStringList problems;
  takeLeft(problems);
  auto file = JournalFile::create(stateFolder());
  if (!file) problems << tr("Changes are not saved to the recovery journal: %1").arg(text(file.error().message));
  if (file) (void)(*file)->markStart();
  const bool failedBefore = std::ranges::any_of(m_left, [](const Left& left) { return left.offer.endedAtStart; });
  if (!failedBefore) openLast(problems);
  if (file) startJournal(std::move(*file));
  if (!m_left.empty()) emit offerChanged();
  return problems;
}

/// Sessions that earlier starts left, including the last session if a start did not survive opening
/// it.
void SessionKeeper::takeLeft(QStringList& problems) {
  for (auto& file : JournalFile::abandoned(stateFolder())) {
    const bool starting = file->isStarting();
    if (starting && !file->isWritten() && QFile::exists(savedSessionPath()))
      copyState(savedSessionPath(), file->path());
    file->endStart();
    if (!file->isWritten()) {
      file->remove();
      continue;
    }
    auto opened = readDocument(file->path());
    if (!opened) {
      const QString kept = keepDamaged(file->path());
      problems << tr("The recovery journal could not be read: %1. A copy is kept as %2.")
                      .arg(text(opened.error().message), kept);
      if (kept != file->path()) file->remove();
      continue;
    }
    const QString path = file->path();
    if (starting) m_lastKept = opened->document.when;  // the file holds the same session, not one of another window
    m_left.push_back({std::move(file), {std::move(*opened), starting, path}});
  }
  std::ranges::stable_sort(m_left, std::greater(), [](const Left& left) { return left.offer.opened.document.when; });
}

void SessionKeeper::openLast(QStringList& problems) {
  if (!QFileInfo::exists(savedSessionPath())) return;
  auto last = readDocument(savedSessionPath());
  if (!last) {
    problems << tr("The last session could not be read: %1. A copy is kept as %2.")
                    .arg(text(last.error().message), keepDamaged(savedSessionPath()));
    return;
  }
  if (!last->notes.empty())
    problems << tr("The last session was changed to open it: %1. The original is kept as %2.")
                    .arg(text(summary(last->notes)), keepDamaged(savedSessionPath()));
  m_lastKept = last->document.when;
  open(last->document.session, last->document.path, last->document.modified);
}

void SessionKeeper::startJournal(std::unique_ptr<JournalFile> file) {
  m_journal = std::make_unique<Journal>(std::move(file));
  connect(m_journal.get(), &Journal::failed, this, &SessionKeeper::onFailed);
  connect(m_journal.get(), &Journal::written, this, [this] { m_failureReported = false; });
}

void SessionKeeper::endStart() {
  if (m_journal) m_journal->file().endStart();
}

void SessionKeeper::setPath(const QString& path) {
  m_path = path;
  write();
}

/// Text typed in the previous session and committed now must not be saved under the name of this
/// one.
void SessionKeeper::open(const Session& session, const QString& path, bool modified) {
  {
    const QScopedValueRollback opening(m_opening, true);
    m_path = path;
    m_workbench.setSession(session, modified);
  }
  write();
}

std::optional<SessionKeeper::Offer> SessionKeeper::offer() const {
  if (m_left.empty()) return std::nullopt;
  return m_left.front().offer;
}

QString SessionKeeper::restore() {
  if (m_left.empty()) return {};
  Left left = std::move(m_left.front());
  m_left.pop_front();
  // Its journal becomes this window's journal, so that there is always exactly one.
  if (m_journal) {
    m_journal->wait();
    m_journal->file().remove();
  }
  // Parts that could not be read exist only in its file, which this window overwrites: keep a copy.
  const auto& [document, notes] = left.offer.opened;
  QString notice =
      notes.empty() ? QString()
                    : tr("%1. The original is kept as %2.").arg(text(summary(notes)), keepDamaged(left.file->path()));
  startJournal(std::move(left.file));
  open(document.session, document.path, document.modified);
  emit offerChanged();
  return notice;
}

void SessionKeeper::discard() {
  if (m_left.empty()) return;
  m_left.front().file->remove();
  m_left.pop_front();
  emit offerChanged();
}

Result<std::unique_ptr<JournalFile>> SessionKeeper::keep(const Document& document) {
  auto file = JournalFile::create(stateFolder());
  if (!file) return file;
  if (auto written = writeDocument(document, (*file)->path()); !written) {
    (*file)->remove();
    return written.error();
  }
  return file;
}

Result<void> SessionKeeper::setAside() {
  if (!m_workbench.isModified()) return {};
  Document now = document();
  now.kept = KeptAs::set_aside;
  auto file = keep(now);
  if (!file) return file.error();
  const QString path = (*file)->path();
  m_left.push_front({std::move(*file), {{std::move(now), {}}, false, path}});
  emit offerChanged();
  return {};
}

/// Another window may have closed since this one started: its session is about to be replaced.
void SessionKeeper::keepOtherWindows() {
  auto last = readDocument(savedSessionPath());
  if (!last || last->document.when == m_lastKept) return;
  const bool same = last->document.session == m_workbench.session();
  if (!last->document.modified || same) return;
  last->document.kept = KeptAs::other_window;
  if (const auto file = keep(last->document); !file) qWarning("vqscope: %s", file.error().message.c_str());
}

Result<void> SessionKeeper::finish() {
  m_pause.stop();
  (void)make_state_folder(bytesOf(QFileInfo(savedSessionPath()).absolutePath()));  // a failure is that of the file
  QLockFile one(savedSessionPath() + QStringLiteral(".lock"));
  (void)one.tryLock(longestWait);  // windows that close together follow each other
  if (m_journal) keepOtherWindows();
  const Document now = document();
  if (auto kept = writeDocument(now, savedSessionPath()); !kept) {
    write();
    return kept;
  }
  m_lastKept = now.when;
  m_left.clear();  // unanswered sessions are offered again
  if (!m_journal) return {};
  m_journal->wait();
  m_journal->file().remove();
  m_journal.reset();
  return {};
}

void SessionKeeper::onStep() {
  if (m_workbench.isDragging()) return onChanged();
  write();
}

void SessionKeeper::onChanged() {
  if (m_journal && !m_pause.isActive()) m_pause.start();
}

void SessionKeeper::write() {
  m_pause.stop();
  if (m_journal && !m_opening) m_journal->take(document());
}

void SessionKeeper::onFailed(const QString& sentence) {
  if (std::exchange(m_failureReported, true)) return;
  emit failed(tr("Changes are not saved to the recovery journal: %1").arg(sentence));
}

}  // namespace vqscope
