// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/session/notes.h"
#include "core/session/session.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>

namespace vqscope {

/// `.vqscope` files: {"vqscope": 1, "current": ..., "workspaces": [...]}.
QByteArray sessionToJson(const Session& session);

/// A session as it was opened, and what of the file is not in it.
struct OpenedSession {
  Session session;
  Notes notes;
};

/// Hostile input: only what is no session at all is refused, with the line it is at. Pages, methods, parameters and
/// values that this program does not know or allow are left out and noted; what a file does not name is the default.
Result<OpenedSession> sessionFromJson(const QByteArray& json);

Result<OpenedSession> readSession(const QString& path);
/// On the disk when it returns; appears whole or not at all.
Result<void> writeSession(const Session& session, const QString& path);

/// What the files of documents share with those of sessions.
QJsonObject sessionObject(const Session& session);
Result<QByteArray> readSessionFile(const QString& path);
Result<void> writeSessionFile(const QString& path, const QByteArray& json);

}  // namespace vqscope
