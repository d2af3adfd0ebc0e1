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

/// A session with what is known of its file: what is kept between two starts.
struct Document {
  Session session;
  QString path;           ///< empty: it has no file yet
  bool modified = false;  ///< it has changes that its file has not
  QDateTime when;         ///< of the last change, or of the end
};

struct OpenedDocument {
  Document document;
  Notes notes;  ///< as OpenedSession has them
};

/// A session's file with one member more, "document".
std::string documentToJson(const Document& document);
Result<OpenedDocument> documentFromJson(std::string_view json);

Result<OpenedDocument> readDocument(const QString& path);
/// On the disk when it returns; appears whole or not at all.
Result<void> writeDocument(const Document& document, const QString& path);

}  // namespace vqscope
