// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/watch/watched_file.h"
#include "widgets/session/field_scheduler.h"

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <vector>

namespace vqscope {

/// Notices that files have another content, whether an editor writes, renames or deletes them. A file
/// that is being written is waited for. Files are looked at on another thread: the end of some is
/// known only by reading them, and a network that is gone does not answer.
class FileWatcher : public QObject {
  Q_OBJECT
 public:
  explicit FileWatcher(QObject* parent = nullptr);

  /// Watches these files, whose contents are known: those of the first look, which begins now. Those
  /// that were watched already go on as they were.
  void setPaths(const QStringList& paths);
  /// One file; empty: none.
  void setPath(const QString& path) { setPaths(path.isEmpty() ? QStringList() : QStringList{path}); }
  /// The first of the files; empty: none.
  QString path() const { return m_paths.value(0); }
  /// Whether there was a file at the last look; true if it is not watched.
  bool isThere(const QString& path) const;
  /// Whether a look goes on.
  bool isBusy() const { return m_reading.isBusy(); }
  /// Looks now and on this thread, and again as if so many milliseconds had passed.
  void lookNow(Index later = WatchTimes().settled);

 signals:
  /// The file is written to its end, or nobody goes on writing it, or it is gone. Its content may be
  /// the same.
  void changed(const QString& path);

 private:
  struct Watched {
    WatchedFile file;
    bool isAccepted = false;  ///< looked at once
  };
  using Files = std::vector<Watched>;
  /// Files after a look, with the indices of those that have news, and the files and folders that
  /// there are.
  struct Looked {
    Files files;
    std::vector<std::size_t> news;
    QStringList places;
  };
  static Looked lookedAt(Files files, Index now);

  void look();
  void take(Looked looked);

  QStringList m_paths;
  Files m_files;  ///< of m_paths
  QFileSystemWatcher m_system;
  QTimer m_looks;  ///< while a file is being written
  FieldScheduler m_reading;
  QElapsedTimer m_clock;
  Index m_ahead = 0;  ///< of the clock, after lookNow()
};

}  // namespace vqscope
