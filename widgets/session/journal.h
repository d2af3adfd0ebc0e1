// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/session/notes.h"
#include "core/session/session.h"
#include "widgets/session/journal_file.h"

#include <QDateTime>
#include <QMutex>
#include <QObject>
#include <QString>
#include <QThreadPool>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace vqscope {

/// Why a session is kept beside the last one.
enum class KeptAs {
  journal,      ///< of a window that runs, or ended unexpectedly
  set_aside,    ///< another file was opened in its place
  other_window  ///< its window was closed, and then another one, whose session is the last
};

/// A session with the state of its file, as kept between two starts.
struct Document {
  Session session;
  QString path;           ///< empty: it has no file yet
  bool modified = false;  ///< has changes that are not in its file
  QDateTime when;         ///< time of the last change, or of the end of the program
  KeptAs kept = KeptAs::journal;
};

struct OpenedDocument {
  Document document;
  Notes notes;  ///< as in OpenedSession
};

/// The file format of a session with an additional member, "document".
std::string documentToJson(const Document& document);
Result<OpenedDocument> documentFromJson(std::string_view json);

Result<OpenedDocument> readDocument(const QString& path);
/// Writes atomically and flushes to the disk before it returns. The file is for its owner alone.
Result<void> writeDocument(const Document& document, const QString& path);

/// Writes the document after each change, off the GUI thread: as a whole and flushed to the disk.
/// Only the newest state waits; older ones that are not written yet are skipped.
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
