// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/session_json.h"

#include "core/base/text.h"
#include "core/io/read_text.h"
#include "core/io/whole_file.h"
#include "widgets/file_name.h"
#include "widgets/session/json_reading.h"
#include "widgets/session/workspace_json.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int formatVersion = 1;
constexpr std::size_t maxFileSize = 16 << 20;

std::vector<std::string> workspaceIds() {
  std::vector<std::string> ids;
  for (const auto& info : workspaceInfos()) ids.push_back(info.id);
  return ids;
}

Result<const WorkspaceInfo*> requireWorkspace(const std::string& id) {
  if (const auto* info = findWorkspaceInfo(id)) return info;
  return invalid("unknown workspace " + shortened(id) + did_you_mean(id, workspaceIds()));
}

Result<void> readWorkspaces(const QJsonValue& json, Session& session) {
  if (json.isUndefined()) return {};
  if (!json.isArray()) return wrongJson("workspaces", json, "an array");
  std::vector<std::string> seen;
  for (const auto& item : json.toArray()) {
    if (!item.isObject()) return wrongJson("a workspace", item, "an object");
    const QJsonObject object = item.toObject();
    std::string id;
    if (auto read = readText(object, "id", id); !read) return read;
    const auto info = requireWorkspace(id);
    if (!info) return info.error();
    if (std::ranges::count(seen, id) > 0) return invalid("workspace " + shortened(id) + " is there twice");
    seen.push_back(id);
    if (auto read = readWorkspace(object, **info, *findWorkspace(session, id)); !read)
      return within("workspace " + id, read.error());
  }
  return {};
}

Result<void> readVersion(const QJsonObject& root) {
  const QJsonValue version = root["vqscope"];
  if (version.isUndefined()) return invalid("not a session: the name vqscope is missing");
  if (version.toDouble() == formatVersion) return {};
  return wrongJson("vqscope", version, "1, the version of the format that this program reads");
}

Result<QJsonObject> parse(const QByteArray& json) {
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(json, &error);
  if (error.error != QJsonParseError::NoError) {
    const auto line = json.left(error.offset).count('\n') + 1;
    return invalid("line " + to_text(static_cast<Index>(line)) + ": not JSON, " + error.errorString().toStdString());
  }
  if (!document.isObject()) return invalid("not a session: an array where an object must be");
  return document.object();
}

}  // namespace

QByteArray sessionToJson(const Session& session) {
  QJsonArray workspaces;
  for (const auto& state : session.workspaces) workspaces.append(workspaceToJson(state));
  const QJsonObject root{
      {"vqscope", formatVersion}, {"current", jsonText(session.current)}, {"workspaces", workspaces}};
  return QJsonDocument(root).toJson();
}

Result<Session> sessionFromJson(const QByteArray& json) {
  const auto root = parse(json);
  if (!root) return root.error();
  if (auto version = readVersion(*root); !version) return version.error();
  if (auto known = checkKeys(*root, {"vqscope", "current", "workspaces"}); !known) return known.error();
  Session session = defaultSession();
  if (auto read = readText(*root, "current", session.current); !read) return read.error();
  if (const auto current = requireWorkspace(session.current); !current) return within("current", current.error());
  if (auto read = readWorkspaces((*root)["workspaces"], session); !read) return read.error();
  return session;
}

Result<Session> readSession(const QString& path) {
  const auto json = read_text(bytesOf(path), maxFileSize);
  if (!json && json.error().code == Errc::too_large)
    return within(shownPath(path), {Errc::too_large, "too large for a session, the limit is 16 MiB"});
  if (!json) return within(shownPath(path), json.error());
  auto session = sessionFromJson(QByteArray::fromRawData(json->data(), static_cast<qsizetype>(json->size())));
  if (!session) return within(shownPath(path), session.error());
  return session;
}

Result<void> writeSession(const Session& session, const QString& path) {
  return write_whole_file(bytesOf(path), sessionToJson(session).toStdString());
}

}  // namespace vqscope
