// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/session/journal.h"
#include "widgets/session/workbench.h"

#include <QStringList>
#include <QTimer>

#include <deque>

namespace vqscope {

/// Protects work from loss: writes the session after every step, saves it at the end, restores it
/// at the next start, and offers sessions that earlier starts left.
class SessionKeeper : public QObject {
  Q_OBJECT
 public:
  explicit SessionKeeper(Workbench& workbench, QObject* parent = nullptr);

  /// Restores the last session, unless the previous start did not survive it, and starts the
  /// journal. Returns one sentence for each part that was left out.
  QStringList begin();

  /// The window shows what it opened. Until this call, the next start assumes that this one failed.
  void endStart();

  /// The file of the session; empty if it has none.
  const QString& path() const { return m_path; }
  /// The session was saved to this file.
  void setPath(const QString& path);
  /// Another session was opened, with or without a file.
  void open(const Session& session, const QString& path, bool modified = false);

  /// The newest session of an earlier start to offer; nothing: there is none.
  struct Offer {
    OpenedDocument opened;
    bool endedAtStart = false;  ///< the program ended while opening it
    QString file;               ///< where it is
  };
  std::optional<Offer> offer() const;
  /// Opens it in place of the session and continues its journal. Returns a sentence if parts of it
  /// were left out.
  QString restore();
  void discard();
  /// Offers the current session before another file replaces it. Does nothing if no changes would
  /// be lost.
  Result<void> setAside();

  /// All changes are on the disk.
  bool isKept() const { return !m_journal || (m_journal->isIdle() && !m_pause.isActive()); }

  /// Keeps the session for the next start and deletes the journal; if saving fails, the journal
  /// stays.
  Result<void> finish();

 signals:
  void offerChanged();
  /// Changes are not being saved, for this reason.
  void failed(const QString& sentence);

 private:
  struct Left {
    std::unique_ptr<JournalFile> file;
    Offer offer;
  };

  Document document() const;
  /// Writes a document to a new journal file.
  static Result<std::unique_ptr<JournalFile>> keep(const Document& document);
  void keepOtherWindows();
  void takeLeft(QStringList& problems);
  void openLast(QStringList& problems);
  void startJournal(std::unique_ptr<JournalFile> file);
  void onStep();
  void onChanged();
  void write();
  void onFailed(const QString& sentence);

  Workbench& m_workbench;
  QString m_path;
  std::unique_ptr<Journal> m_journal;  ///< null before begin() and after finish()
  std::deque<Left> m_left;
  QDateTime m_lastKept;  ///< time of the last session when it was restored
  QTimer m_pause;        ///< between two writes during a drag
  bool m_opening = false;
  bool m_failureReported = false;
};

}  // namespace vqscope
