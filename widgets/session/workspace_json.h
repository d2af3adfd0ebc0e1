// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/session/session.h"

#include <QJsonObject>

namespace vqscope {

QJsonObject workspaceToJson(const WorkspaceState& state);

/// Changes what the object names and checks the whole page after it.
Result<void> readWorkspace(const QJsonObject& object, const WorkspaceInfo& info, WorkspaceState& state);

}  // namespace vqscope
