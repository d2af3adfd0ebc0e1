// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/notes.h"
#include "core/session/session.h"

#include <QJsonObject>

namespace vqscope {

QJsonObject workspaceToJson(const WorkspaceState& state);

/// The page that the object describes. What it does not name is the default; what it names and this program does not
/// know or allow is left out and noted, and takes nothing else along.
WorkspaceState readWorkspace(const QJsonObject& object, const WorkspaceInfo& info, Notes& notes);

}  // namespace vqscope
