// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/document.h"

#include "widgets/parts/file_name.h"
#include "widgets/session/json_reading.h"
#include "widgets/session/session_json.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace vqscope {

QByteArray documentToJson(const Document& document) {
  QJsonObject root = sessionObject(document.session);
  root["document"] = QJsonObject{
      {"path", document.path}, {"modified", document.modified}, {"when", document.when.toString(Qt::ISODateWithMs)}};
  return QJsonDocument(root).toJson(QJsonDocument::Compact);
}

Result<OpenedDocument> documentFromJson(const QByteArray& json) {
  auto opened = sessionFromJson(json);
  if (!opened) return opened.error();
  const QJsonObject about = QJsonDocument::fromJson(json).object()["document"].toObject();
  return OpenedDocument{{std::move(opened->session), about["path"].toString(), about["modified"].toBool(),
                         QDateTime::fromString(about["when"].toString(), Qt::ISODateWithMs)},
                        std::move(opened->notes)};
}

Result<OpenedDocument> readDocument(const QString& path) {
  const auto json = readSessionFile(path);
  if (!json) return json.error();
  auto opened = documentFromJson(*json);
  if (!opened) return within(shownPath(path), opened.error());
  return opened;
}

Result<void> writeDocument(const Document& document, const QString& path) {
  return writeSessionFile(path, documentToJson(document));
}

}  // namespace vqscope
