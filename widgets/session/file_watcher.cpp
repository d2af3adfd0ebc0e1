// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/file_watcher.h"

#include "widgets/parts/text.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

constexpr int lookInterval = 100;  // milliseconds

}  // namespace

FileWatcher::FileWatcher(QObject* parent) : QObject(parent) {
  m_clock.start();
  m_looks.setInterval(lookInterval);
  const auto begin = [this] {
    if (!m_files.empty()) m_looks.start();
  };
  connect(&m_system, &QFileSystemWatcher::fileChanged, this, begin);
  connect(&m_system, &QFileSystemWatcher::directoryChanged, this, begin);
  connect(&m_looks, &QTimer::timeout, this, &FileWatcher::look);
}

void FileWatcher::setPaths(const QStringList& paths) {
  if (paths == m_paths) return;
  m_reading.stop();
  if (const auto watched = m_system.files() + m_system.directories(); !watched.isEmpty()) m_system.removePaths(watched);
  Files files;
  for (const QString& path : paths) {
    if (const auto at = m_paths.indexOf(path); at >= 0) {
      files.push_back(m_files[static_cast<std::size_t>(at)]);
      continue;
    }
    files.push_back({WatchedFile(bytesOf(path))});
  }
  m_files = std::move(files);
  m_paths = paths;
  if (m_paths.isEmpty()) return m_looks.stop();
  look();
}

bool FileWatcher::isThere(const QString& path) const {
  const auto at = m_paths.indexOf(path);
  if (at < 0) return true;
  const Watched& watched = m_files[static_cast<std::size_t>(at)];
  return !watched.isAccepted || watched.file.stamp().has_value();
}

void FileWatcher::lookNow(Index later) {
  m_reading.stop();
  for (const Index ahead : {Index{0}, later}) {
    m_ahead += ahead;
    if (!m_files.empty()) take(lookedAt(m_files, m_clock.elapsed() + m_ahead));
  }
}

void FileWatcher::look() {
  if (m_reading.isBusy()) return;
  m_reading.run<Looked>(
      [files = m_files, now = m_clock.elapsed() + m_ahead](const std::stop_token&) { return lookedAt(files, now); },
      [this](Looked looked) { take(std::move(looked)); });
}

FileWatcher::Looked FileWatcher::lookedAt(Files files, Index now) {
  Looked looked{std::move(files), {}, {}};
  for (std::size_t i = 0; i < looked.files.size(); ++i) {
    auto& [file, isAccepted] = looked.files[i];
    if (!std::exchange(isAccepted, true))
      file.accept();
    else if (file.look(now) != WatchedFile::News::none)
      looked.news.push_back(i);
    const QFileInfo place(textOfBytes(file.path()));
    for (const QString& each : {place.filePath(), place.absolutePath()})
      if (QFileInfo::exists(each)) looked.places << each;
  }
  return looked;
}

/// Whoever hears of a change may have other files watched at once.
void FileWatcher::take(Looked looked) {
  if (looked.files.size() != m_files.size()) return;  // memory failed
  m_files = std::move(looked.files);
  if (std::ranges::all_of(m_files, [](const Watched& each) { return each.file.is_settled(); }))
    m_looks.stop();
  else if (!m_looks.isActive())
    m_looks.start();
  // The folder tells of a file that comes back; a file that was deleted is no longer watched.
  for (const QString& each : looked.places)
    if (!(m_system.files() + m_system.directories()).contains(each)) m_system.addPath(each);
  QStringList news;
  for (const std::size_t i : looked.news) news << m_paths[static_cast<qsizetype>(i)];
  for (const QString& path : news)
    if (m_paths.contains(path)) emit changed(path);
}

}  // namespace vqscope
