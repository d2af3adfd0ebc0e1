// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/json/config_value.h"
#include "core/io/json/json_value.h"
#include "core/session/notes.h"
#include "core/session/session.h"

#include <string>
#include <string_view>

namespace vqscope {

/// `.vqscope` files: {"vqscope": 3, "current": ..., "subject": {...}, "workspaces": [...]}, with
/// the values that were set. Format 1 had no subject and listed all values of each page.
std::string session_text(const Session& session);

/// A session as opened, and notes on what was not taken from the file.
struct OpenedSession {
  Session session;
  Notes notes;
};

/// Input is not trusted: it is refused, with the place in the text, only if it is no session at
/// all. Pages, methods, parameters and values that are unknown or invalid are left out and noted;
/// what the file does not name takes its default.
Result<OpenedSession> parse_session(std::string_view text);

/// Whether a file of another format, such as a report or a figure, holds a session
/// (core/io/embed). Such a file is read like a session.
bool has_embedded_session(const std::string& path);

/// `path` is bytes; errors begin with it.
Result<OpenedSession> read_session(const std::string& path);
/// The file is on disk when this returns; it appears whole or not at all.
Result<void> write_session(const Session& session, const std::string& path);

/// The same in steps, for files that hold more than a session.
JsonObject session_json(const Session& session);
Result<ConfigValue> parse_session_json(std::string_view text);
Result<ConfigValue> read_session_json(const std::string& path);
Result<OpenedSession> session_in(const ConfigValue& json);

}  // namespace vqscope
