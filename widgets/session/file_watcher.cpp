// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/file_watcher.h"

#include "widgets/parts/text.h"

#include <QFileInfo>

namespace vqscope {
namespace {

constexpr int lookInterval = 100;  // milliseconds

}  // namespace

FileWatcher::FileWatcher(QObject* parent) : QObject(parent) {
  m_clock.start();
  m_looks.setInterval(lookInterval);
  const auto begin = [this] {
    if (m_file) m_looks.start();
  };
  connect(&m_system, &QFileSystemWatcher::fileChanged, this, begin);
  connect(&m_system, &QFileSystemWatcher::directoryChanged, this, begin);
  connect(&m_looks, &QTimer::timeout, this, &FileWatcher::look);
}

void FileWatcher::setPath(const QString& path) {
  if (const auto watched = m_system.files() + m_system.directories(); !watched.isEmpty()) m_system.removePaths(watched);
  m_looks.stop();
  m_path = path;
  m_file.reset();
  if (path.isEmpty()) return;
  m_file.emplace(bytesOf(path));
  m_file->accept();
  addPaths();
}

/// The folder tells of a file that comes back; a file that was deleted is no longer watched.
void FileWatcher::addPaths() {
  const QFileInfo file(m_path);
  for (const QString& each : {file.filePath(), file.absolutePath()})
    if (QFileInfo::exists(each) && !(m_system.files() + m_system.directories()).contains(each)) m_system.addPath(each);
}

void FileWatcher::lookNow(Index later) {
  if (!m_file) return;
  look();
  m_ahead += later;
  look();
}

void FileWatcher::look() {
  const auto news = m_file->look(m_clock.elapsed() + m_ahead);
  if (m_file->is_settled()) m_looks.stop();
  addPaths();
  if (news != WatchedFile::News::none) emit changed(m_path);
}

}  // namespace vqscope
