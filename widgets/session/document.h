// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/session/notes.h"
#include "core/session/session.h"

#include <QDateTime>
#include <QString>

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

}  // namespace vqscope
