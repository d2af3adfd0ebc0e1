// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/session_json.h"

#include "core/base/text.h"
#include "core/io/bytes/read_text.h"
#include "core/io/bytes/whole_file.h"
#include "widgets/parts/file_name.h"
#include "widgets/session/json_reading.h"
#include "widgets/session/workspace_json.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int formatVersion = 1;
constexpr std::size_t mostIndented = 4096;
constexpr std::size_t maxFileSize = 512 << 20;  // of the longest lists that a page may have, and then some

std::vector<std::string> workspaceIds() {
  std::vector<std::string> ids;
  for (const auto& info : workspace_infos()) ids.push_back(info.id);
  return ids;
}

std::string unknownPage(const std::string& id) {
  return "unknown page " + shortened(id) + did_you_mean(id, workspaceIds()) + "; it was left out";
}

/// Pages that are named; each once, and those that this program has.
void readWorkspaces(const QJsonValue& json, OpenedSession& opened) {
  if (json.isUndefined()) return;
  if (!json.isArray()) return opened.notes.push_back(wrongJson("workspaces", json, "an array").message);
  std::vector<std::string> seen;
  for (const auto& item : json.toArray()) {
    const QJsonObject object = item.toObject();
    const std::string id = bytesOf(object["id"].toString());
    auto* state = find_workspace(opened.session, id);
    if (!item.isObject())
      opened.notes.push_back(wrongJson("a page", item, "an object").message + "; it was left out");
    else if (!state)
      opened.notes.push_back(unknownPage(id));
    else if (std::ranges::count(seen, id) > 0)
      opened.notes.push_back("page " + id + " appears twice; the first is used");
    else
      *state = readWorkspace(object, *find_workspace_info(id), opened.notes);
    seen.push_back(id);
  }
}

void readCurrent(const QJsonValue& json, OpenedSession& opened) {
  if (json.isUndefined()) return;
  const std::string id = bytesOf(json.toString());
  if (find_workspace(opened.session, id))
    opened.session.current = id;
  else
    opened.notes.push_back("unknown page " + shortened(id) + did_you_mean(id, workspaceIds()) + "; " +
                           opened.session.current + " is shown");
}

Result<void> readVersion(const QJsonObject& root, Notes& notes) {
  const QJsonValue version = root["vqscope"];
  if (version.isUndefined()) return invalid("not a session: the name vqscope is missing");
  if (!version.isDouble() || version.toDouble() < 1)
    return wrongJson("vqscope", version, "the version of its format, 1");
  if (version.toDouble() > formatVersion)
    notes.push_back("it was written by a newer program, in format " + to_text(version.toDouble()) +
                    "; unknown content was ignored");
  return {};
}

void noteUnknown(const QJsonObject& root, Notes& notes) {
  static const std::vector<std::string> known{"vqscope", "current", "workspaces", "document"};
  for (const auto& key : root.keys())
    if (const std::string name = bytesOf(key); std::ranges::count(known, name) == 0)
      notes.push_back("unknown name " + shortened(name) + did_you_mean(name, known) + "; it was left out");
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

/// Of all the session's values.
std::size_t longestList(const Session& session) {
  std::size_t longest = 0;
  for (const auto& page : session.workspaces)
    for (const auto* values : {&page.values, &page.other, &page.contract})
      for (const auto& [name, value] : values->map())
        if (const auto* items = std::get_if<std::vector<Index>>(&value)) longest = std::max(longest, items->size());
  return longest;
}

}  // namespace

QJsonObject sessionObject(const Session& session) {
  QJsonArray workspaces;
  for (const auto& state : session.workspaces) workspaces.append(workspaceToJson(state));
  return {{"vqscope", formatVersion}, {"current", jsonText(session.current)}, {"workspaces", workspaces}};
}

QByteArray sessionToJson(const Session& session) {
  // Indented, each item of a list has a line: good to read, but not a million of them.
  const auto layout = longestList(session) > mostIndented ? QJsonDocument::Compact : QJsonDocument::Indented;
  return QJsonDocument(sessionObject(session)).toJson(layout);
}

Result<OpenedSession> sessionFromJson(const QByteArray& json) {
  const auto root = parse(json);
  if (!root) return root.error();
  OpenedSession opened{default_session(), {}};
  if (auto version = readVersion(*root, opened.notes); !version) return version.error();
  noteUnknown(*root, opened.notes);
  readWorkspaces((*root)["workspaces"], opened);
  readCurrent((*root)["current"], opened);
  return opened;
}

Result<QByteArray> readSessionFile(const QString& path) {
  const auto json = read_text(bytesOf(path), maxFileSize);
  if (!json && json.error().code == Errc::too_large)
    return within(shownPath(path), {Errc::too_large, "too large for a session, the limit is 512 MiB"});
  if (!json) return within(shownPath(path), json.error());
  return QByteArray::fromStdString(*json);
}

Result<void> writeSessionFile(const QString& path, const QByteArray& json) {
  return write_whole_file(bytesOf(path), {json.constData(), static_cast<std::size_t>(json.size())});
}

Result<OpenedSession> readSession(const QString& path) {
  const auto json = readSessionFile(path);
  if (!json) return json.error();
  auto opened = sessionFromJson(*json);
  if (!opened) return within(shownPath(path), opened.error());
  return opened;
}

Result<void> writeSession(const Session& session, const QString& path) {
  return writeSessionFile(path, sessionToJson(session));
}

}  // namespace vqscope
