// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "widgets/session/session.h"

#include <QByteArray>
#include <QString>

namespace vqscope {

/// `.vqscope` files: {"vqscope": 1, "current": ..., "workspaces": [...]}.
QByteArray sessionToJson(const Session& session);

/// Hostile input: damage gives one sentence with the line or the name it is at, never a half session. Values that a
/// file does not name take their defaults; pages that it does not name are the default ones.
Result<Session> sessionFromJson(const QByteArray& json);

Result<Session> readSession(const QString& path);
Result<void> writeSession(const Session& session, const QString& path);

}  // namespace vqscope
