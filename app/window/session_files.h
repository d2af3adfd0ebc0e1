// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/session_keeper.h"
#include "app/window/start/opened_files.h"

#include <QTimer>

#include <functional>

class QWidget;

namespace vqscope {

class RecoveryBar;

/// What becomes of changes that are not saved as another session opens: the user decides, or they
/// are kept and offered.
enum class Unsaved { ask, setAside };

/// Opens and saves the window's session, keeps it between starts, and shows its name in the
/// window's title.
class SessionFiles : public QObject {
  Q_OBJECT
 public:
  SessionFiles(Workbench& workbench, QWidget* window);

  SessionKeeper& keeper() { return m_keeper; }
  /// The bar that offers a session of an earlier start; the window places it.
  RecoveryBar* recoveryBar() const { return m_recovery; }

  /// Restores the last session, with one message for each part that was left out. `isShown`:
  /// whether the session is on screen and no work is in progress.
  QStringList begin(std::function<bool()> isShown);
  /// Keeps the session for the next start.
  Result<void> finish();

  void openNew();
  /// Whether the session that was read is opened.
  bool open(const ReadFiles& read, Unsaved unsaved);
  /// Opens the offered session in place of this one; confirms before changes are lost.
  void restoreOffered();
  /// Asks before changes of the session are lost, and saves them on request.
  bool mayDiscard();
  bool save(bool asNew);

 signals:
  void notified(const QString& sentence, bool bad);
  void saved(const QString& path);
  /// Text that is typed but not entered yet belongs to the file.
  void saving();
  /// Whether there is a session to restore has changed.
  void offerChanged(bool offered);

 private:
  bool mayReplace(Unsaved unsaved);
  /// The opened session is on screen, and the program still runs.
  void stand();
  /// Shows the file and its modified mark in the title.
  void showName();

  Workbench& m_workbench;
  QWidget* m_window;
  SessionKeeper m_keeper;
  RecoveryBar* m_recovery;
  QTimer m_standing;
  QString m_incompletePath;  ///< the session's file, if parts of it were left out
};

}  // namespace vqscope
