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

/// `.vqscope` files: {"vqscope": 1, "current": ..., "workspaces": [...]}.
std::string session_text(const Session& session);

/// A session as it was opened, and what of the file is not in it.
struct OpenedSession {
  Session session;
  Notes notes;
};

/// Hostile input: only what is no session at all is refused, with the place in the text. Pages, methods, parameters and
/// values that this program does not know or allow are left out and noted; what a file does not name is the default.
Result<OpenedSession> parse_session(std::string_view text);

/// `path` is bytes; the error begins with it.
Result<OpenedSession> read_session(const std::string& path);
/// On the disk when it returns; appears whole or not at all.
Result<void> write_session(const Session& session, const std::string& path);

/// The same in steps, for files that have more than a session in them.
JsonObject session_json(const Session& session);
Result<ConfigValue> parse_session_json(std::string_view text);
Result<ConfigValue> read_session_json(const std::string& path);
Result<OpenedSession> session_in(const ConfigValue& json);

}  // namespace vqscope
