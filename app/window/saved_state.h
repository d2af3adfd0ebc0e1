// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace vqscope {

/// Files of the last session, of the window's layout and of the list of recent files.
QString savedSessionPath();
QString savedLayoutPath();
QString savedRecentPath();

/// Copies a file for its owner alone; false if that fails or the copy exists.
bool copyState(const QString& from, const QString& to);

/// Copies an unreadable file aside, so that the next save does not destroy it. Returns the path of the copy, or the
/// original path if copying fails.
QString keepDamaged(const QString& path);

}  // namespace vqscope
