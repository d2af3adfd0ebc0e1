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

/// Writes the document after each change, off the GUI thread: as a whole and flushed to the disk. Only the newest state
/// waits; older ones that are not written yet are skipped.
class Journal : public QObject {
  Q_OBJECT
 public:
  explicit Journal(std::unique_ptr<JournalFile> file, QObject* parent = nullptr);
  /// Waits for the current write. The file stays.
  ~Journal() override;

  JournalFile& file() { return *m_file; }

  /// Returns at once.
  void take(Document document);

  /// Waits until everything is written.
  void wait();
  bool isIdle() const;

 signals:
  /// The written document was number `taken` of all documents given. Emitted by the writing thread.
  void written(qint64 taken);
  /// Writing failed, for this reason; the journal keeps its previous contents.
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
