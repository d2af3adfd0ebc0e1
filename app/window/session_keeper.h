// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/session/journal.h"
#include "widgets/session/workbench.h"

#include <QStringList>
#include <QTimer>

#include <deque>

namespace vqscope {

/// Sees to it that no work is lost: the session is written down after every step, kept at the end and taken up at the
/// next start, and what a start before has left behind is offered.
class SessionKeeper : public QObject {
  Q_OBJECT
 public:
  explicit SessionKeeper(Workbench& workbench, QObject* parent = nullptr);

  /// Takes up the last session, unless the start before did not survive it, and begins the journal. What was left out
  /// is said, a sentence each.
  QStringList begin();

  /// The window stands: what it opened can be shown. Until it is said, the next start takes this one for failed.
  void stood();

  /// The file of the session; empty while it has none.
  const QString& path() const { return m_path; }
  /// The session has been saved there.
  void setPath(const QString& path);
  /// Another document, of a file or of none.
  void open(const Session& session, const QString& path, bool modified = false);

  /// The document of a start before that the person may want back: the newest of them. Nothing: there is none.
  struct Offer {
    OpenedDocument opened;
    bool endedAtStart = false;  ///< it was being opened when the program ended
    bool setAside = false;      ///< another file was opened in its place
    QString file;               ///< where it is
  };
  std::optional<Offer> offer() const;
  /// Opens it in place of the session, and goes on with its journal. A sentence when parts of it were left out.
  QString restore();
  void discard();
  /// Offers what is open now, for another file is opened in its place; where nothing would be lost it does nothing.
  Result<void> setAside();

  /// All that happened is on the disk.
  bool isKept() const { return !m_journal || (m_journal->isIdle() && !m_pause.isActive()); }

  /// The orderly end: keeps the session for the next start, and nothing else. The journal stays where that fails.
  Result<void> finish();

 signals:
  void offerChanged();
  /// One sentence: the work is not safe until it is mended.
  void failed(const QString& sentence);

 private:
  struct Left {
    std::unique_ptr<JournalFile> file;
    Offer offer;
  };

  Document document() const;
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
  QDateTime m_lastKept;  ///< of the last session when it was taken up
  QTimer m_pause;        ///< between two writes of one drag
  bool m_opening = false;
  bool m_saidFailure = false;
};

}  // namespace vqscope
