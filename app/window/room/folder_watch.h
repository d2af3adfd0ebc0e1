// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/watch/watched_folder.h"
#include "core/lint/batch/batch_looks.h"
#include "widgets/session/field_scheduler.h"

#include <QElapsedTimer>
#include <QFrame>
#include <QTimer>

#include <deque>
#include <memory>
#include <vector>

class QPushButton;

namespace vqscope {

class ElidingLabel;
class SampleStrip;
class Workbench;

/// A bar above the page while a folder is watched: each mask that is written into it is checked
/// against the expected mask of the page of masks. It has the last fifty files, and stops at the
/// first with an error. Files that arrive much faster than they are checked are left out and counted.
class FolderWatch : public QFrame {
  Q_OBJECT
 public:
  static constexpr std::size_t mostFiles = 50;
  static constexpr std::size_t mostWaiting = 1000;  ///< to be checked

  FolderWatch(Workbench& workbench, QWidget* parent);

  /// Asks the user for the folder.
  void choose();
  void start(const QString& folder);
  bool isWatching() const { return m_looks.isActive(); }
  /// Looks soon, and as if files had settled meanwhile.
  void lookNow();
  QString sentence() const;
  /// Names of the files in the strip.
  QStringList files() const;

 signals:
  void notified(const QString& sentence, bool bad);
  /// A file, FILE or FILE:NAME, is to be shown as the page's mask.
  void fileShown(const QString& path);
  /// The newest file cannot be read, or the one that is shown is gone: the page's mask is an old one.
  void fileLost(const QString& sentence);

 private:
  struct Checked {
    QString path;
    QString file;
    QString name;
    QString sentence;  ///< what is wrong, or how it was read
    BatchLook look;    ///< with the findings of all masks of the file
    bool isRead = false;
  };

  struct Looked {
    Result<std::vector<WatchedFolder::Arrival>> arrivals = std::vector<WatchedFolder::Arrival>();
    bool isShownThere = true;  ///< the file that is shown
  };

  void look();
  static Looked lookedAt(WatchedFolder& folder, const QString& shown, Index now, Index later);
  void take(const Looked& looked);
  void await(const QString& path);
  void checkNext();
  void showFile(const Checked& checked);
  void add(const Checked& checked);
  void pick(Index file);
  void resume();
  void close();
  void showState();

  Workbench& m_workbench;
  std::shared_ptr<WatchedFolder> m_folder;  ///< belongs to the look that is in progress
  FieldScheduler m_looking;
  QString m_shown;  ///< the file that is shown; empty: none, or it is gone
  QTimer m_looks;
  QElapsedTimer m_clock;
  Index m_ahead = 0;         ///< of the clock, after lookNow()
  bool m_isHurried = false;  ///< by lookNow()
  FieldScheduler m_checks;
  std::deque<QString> m_waiting;
  qsizetype m_leftOut = 0;
  std::deque<Checked> m_last;
  ElidingLabel* m_label;
  SampleStrip* m_strip;
  QPushButton* m_stop;
};

}  // namespace vqscope
