// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/session/document.h"
#include "widgets/session/journal_file.h"

#include <QMutex>
#include <QObject>
#include <QThreadPool>

#include <memory>
#include <optional>

namespace vqscope {

/// Writes the document down as it changes, off the GUI thread: whole, flushed to the disk, and the newest state first;
/// what has been overtaken while the one before was written is not written any more.
class Journal : public QObject {
  Q_OBJECT
 public:
  explicit Journal(std::unique_ptr<JournalFile> file, QObject* parent = nullptr);
  /// Waits for what is being written. The file stays.
  ~Journal() override;

  JournalFile& file() { return *m_file; }

  /// Returns at once.
  void take(Document document);

  /// Until all that was taken is written.
  void wait();
  bool isIdle() const;

 signals:
  /// `taken` documents had been taken in all when this one was. Emitted by the thread that writes.
  void written(qint64 taken);
  /// One sentence; the journal has what it had before.
  void failed(const QString& sentence);

 private:
  void writeAll();

  std::unique_ptr<JournalFile> m_file;
  QString m_path;
  QThreadPool m_pool;
  mutable QMutex m_mutex;
  std::optional<Document> m_next;  ///< guarded by m_mutex, as are the next two
  qint64 m_taken = 0;
  bool m_writing = false;
};

}  // namespace vqscope
