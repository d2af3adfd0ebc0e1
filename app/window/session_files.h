// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/session_keeper.h"

#include <QTimer>

#include <functional>

class QWidget;

namespace vqscope {

class RecoveryBar;

/// The window's session: opened, saved, kept from one start to the next, and its name in the window's title.
class SessionFiles : public QObject {
  Q_OBJECT
 public:
  SessionFiles(Workbench& workbench, QWidget* window);

  SessionKeeper& keeper() { return m_keeper; }
  /// Offers what a start before has left; for the window to place.
  RecoveryBar* recoveryBar() const { return m_recovery; }

  /// Takes up the last session; what was left out is told, a sentence each. `isShown`: what was opened is on screen and
  /// nothing is under way any more.
  QStringList begin(std::function<bool()> isShown);
  /// Keeps the session for the next start.
  Result<void> finish();

  void openNew();
  /// What is wrong with the file is said and changes nothing.
  void open(const QString& path);
  /// Opens the offered session in place of this one; asks before changes are lost.
  void restoreOffered();
  /// Asks when the session has changes that would be lost, and saves them when that is the answer.
  bool mayDiscard();
  bool save(bool askForPath);

 signals:
  void said(const QString& sentence, bool bad);
  /// What is typed and not entered yet belongs to the file.
  void saving();
  /// There is a session to restore, or none any more.
  void offerChanged(bool offered);

 private:
  /// What was opened is on screen, and the program still runs.
  void stand();
  /// The file and whether it is changed, in the title.
  void showName();

  Workbench& m_workbench;
  QWidget* m_window;
  SessionKeeper m_keeper;
  RecoveryBar* m_recovery;
  QTimer m_standing;
  QString m_incompletePath;  ///< the session's file, of which parts were left out
};

}  // namespace vqscope
