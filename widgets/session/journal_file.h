// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QString>

#include <memory>
#include <vector>

namespace vqscope {

/// $XDG_STATE_HOME/vqscope, else ~/.local/state/vqscope: state kept from one run of the program to
/// the next.
QString stateFolder();

/// The file of one window's journal in the state folder. This object holds a lock on it. The kernel
/// releases the lock when the process ends, in whatever way, which distinguishes journals of dead
/// and live processes.
class JournalFile {
 public:
  /// Makes a new journal file: locked and empty.
  static Result<std::unique_ptr<JournalFile>> create(const QString& folder);

  /// Takes over the journals of dead processes. Deletes lock files without a journal.
  static std::vector<std::unique_ptr<JournalFile>> abandoned(const QString& folder);

  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;
  /// Releases the lock; the file stays for the next start.
  ~JournalFile();

  /// Path of the document.
  QString path() const { return m_stem + QStringLiteral(".vqscope"); }
  bool isWritten() const;

  /// Called before and after the program opens its session at the start. If the second call is
  /// missing, the opened session ended the program.
  Result<void> markStart();
  void endStart();
  bool isStarting() const;

  /// Deletes all its files, including temporary files of a killed writer.
  void remove();

 private:
  JournalFile(QString stem, int lock) : m_stem(std::move(stem)), m_lock(lock) {}
  static std::unique_ptr<JournalFile> locked(const QString& stem, int flags);
  QString markerPath() const { return m_stem + QStringLiteral(".starting"); }

  QString m_stem;  ///< path without an ending
  int m_lock;      ///< file descriptor
};

}  // namespace vqscope
