// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QString>

#include <memory>
#include <vector>

namespace vqscope {

/// $XDG_STATE_HOME/vqscope, else ~/.local/state/vqscope: what one run leaves for the next.
QString stateFolder();

/// The place of one window's journal in the state folder. It is locked for as long as this object lives; the kernel
/// gives the lock up with the process, however that ends, so that the journal of a dead process can be told from that
/// of a live one.
class JournalFile {
 public:
  /// A new one: locked, and nothing written yet.
  static Result<std::unique_ptr<JournalFile>> create(const QString& folder);

  /// Those that dead processes have left; they are this process's from now on. Locks of which
  /// nothing else is left are cleared away.
  static std::vector<std::unique_ptr<JournalFile>> abandoned(const QString& folder);

  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;
  /// Gives up the lock; what was written stays, for the next start.
  ~JournalFile();

  /// Where the document is written.
  QString path() const { return m_stem + QStringLiteral(".vqscope"); }
  bool isWritten() const;

  /// Between these two the program starts: who does not come to the second has been ended by what it opened.
  Result<void> markStart();
  void markStood();
  bool isStarting() const;

  /// Everything of it, also what a writer that was killed has left beside it.
  void remove();

 private:
  JournalFile(QString stem, int lock) : m_stem(std::move(stem)), m_lock(lock) {}
  static std::unique_ptr<JournalFile> locked(const QString& stem, int flags);
  QString markerPath() const { return m_stem + QStringLiteral(".starting"); }

  QString m_stem;  ///< path without an ending
  int m_lock;      ///< file descriptor
};

}  // namespace vqscope
