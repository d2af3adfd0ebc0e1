// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace vqscope {

/// Files of the last session and of the window's layout.
QString savedSessionPath();
QString savedLayoutPath();

/// Copies an unreadable file aside, so that the next save does not destroy it. Returns the path of the copy, or the
/// original path if copying fails.
QString keepDamaged(const QString& path);

}  // namespace vqscope
