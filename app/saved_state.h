// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QString>

namespace vqscope {

/// Where the last session and the window's layout are kept between starts.
QString savedSessionPath();
QString savedLayoutPath();

/// Sets a file that cannot be read aside, so that the next save does not destroy what a person may still mend.
/// Returns where it is.
QString keepDamaged(const QString& path);

/// Geometry and dock positions of the window as it was left. Qt trusts these bytes, so they are kept with a checksum
/// and taken back only when it holds.
struct WindowLayout {
  QByteArray geometry;
  QByteArray docks;
  QString theme;  ///< "light", "dark", or empty: as the desktop
};

Result<void> writeLayout(const WindowLayout& layout, const QString& path);

/// Errc::not_found where there is no file.
Result<WindowLayout> readLayout(const QString& path);

}  // namespace vqscope
