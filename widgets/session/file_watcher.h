// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/watch/watched_file.h"

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <optional>

namespace vqscope {

/// Notices that a file has another content, whether an editor writes, renames or deletes it. A file
/// that is being written is waited for.
class FileWatcher : public QObject {
  Q_OBJECT
 public:
  explicit FileWatcher(QObject* parent = nullptr);

  /// Watches one file, whose content of this moment is known. Empty: none.
  void setPath(const QString& path);
  const QString& path() const { return m_path; }
  /// Looks now, and again as if so many milliseconds had passed.
  void lookNow(Index later = WatchTimes().settled);

 signals:
  /// The file is written to its end, or nobody goes on writing it; its content may be the same.
  void changed(const QString& path);

 private:
  void addPaths();
  void look();

  QString m_path;
  std::optional<WatchedFile> m_file;
  QFileSystemWatcher m_system;
  QTimer m_looks;  ///< while the file is being written
  QElapsedTimer m_clock;
  Index m_ahead = 0;  ///< of the clock, after lookNow()
};

}  // namespace vqscope
