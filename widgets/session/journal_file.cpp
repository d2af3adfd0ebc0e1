// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/journal_file.h"

#include "core/io/bytes/user_folders.h"
#include "core/io/bytes/whole_file.h"
#include "widgets/parts/text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace vqscope {
namespace {

constexpr int mostTries = 100;

QString lockPath(const QString& stem) { return stem + QStringLiteral(".lock"); }

/// A unique name among all windows, including those of an earlier process with the same id.
QString newStem(const QString& folder) {
  static int count = 0;
  return QStringLiteral("%1/journal-%2-%3-%4")
      .arg(folder)
      .arg(QCoreApplication::applicationPid())
      .arg(QDateTime::currentMSecsSinceEpoch())
      .arg(++count);
}

/// Another process may have deleted the file between opening and locking it.
bool hasName(int file) {
  struct stat status {};
  return ::fstat(file, &status) == 0 && status.st_nlink > 0;
}

}  // namespace

QString stateFolder() {
  const QString given = qEnvironmentVariable("XDG_STATE_HOME");
  const QString home = QDir::isAbsolutePath(given) ? given : QDir::homePath() + QStringLiteral("/.local/state");
  return home + QStringLiteral("/vqscope");
}

std::unique_ptr<JournalFile> JournalFile::locked(const QString& stem, int flags) {
  const int file = ::open(QFile::encodeName(lockPath(stem)).constData(), O_RDWR | O_CLOEXEC | flags, 0600);
  if (file < 0) return nullptr;
  if (::flock(file, LOCK_EX | LOCK_NB) == 0 && hasName(file))
    return std::unique_ptr<JournalFile>(new JournalFile(stem, file));
  const int error = errno;
  ::close(file);
  errno = error;
  return nullptr;
}

Result<std::unique_ptr<JournalFile>> JournalFile::create(const QString& folder) {
  if (auto made = make_state_folder(bytesOf(folder)); !made) return made.error();
  for (int i = 0; i < mostTries; ++i) {
    auto made = locked(newStem(folder), O_CREAT | O_EXCL);
    if (made) return made;
    if (errno == EACCES || errno == ENOENT || errno == ENOTDIR || errno == EROFS || errno == ENOSPC) break;
  }
  return Error{Errc::io, "cannot write " + folder.toStdString() + ": " + std::strerror(errno)};
}

std::vector<std::unique_ptr<JournalFile>> JournalFile::abandoned(const QString& folder) {
  std::vector<std::unique_ptr<JournalFile>> all;
  const QString ending = lockPath({});
  for (const QString& name : QDir(folder).entryList({QStringLiteral("journal-*") + ending}, QDir::Files)) {
    auto file = locked(folder + QLatin1Char('/') + name.chopped(ending.size()), 0);
    if (!file) continue;
    if (file->isWritten() || file->isStarting())
      all.push_back(std::move(file));
    else
      file->remove();
  }
  return all;
}

JournalFile::~JournalFile() { ::close(m_lock); }

bool JournalFile::isWritten() const { return QFile::exists(path()); }

Result<void> JournalFile::markStart() { return write_whole_file(bytesOf(markerPath()), {}, FileUse::state); }

void JournalFile::endStart() { QFile::remove(markerPath()); }

bool JournalFile::isStarting() const { return QFile::exists(markerPath()); }

void JournalFile::remove() {
  QFile::remove(path());
  QFile::remove(markerPath());
  const QFileInfo stem(m_stem);
  const QDir folder = stem.dir();
  for (const QString& name :
       folder.entryList({QStringLiteral(".%1*").arg(stem.fileName())}, QDir::Files | QDir::Hidden))
    QFile::remove(folder.filePath(name));
  QFile::remove(lockPath(m_stem));  // last, because without it the other files would never be found
}

}  // namespace vqscope
