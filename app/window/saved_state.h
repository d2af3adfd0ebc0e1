// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace vqscope {

/// Where the last session and the window's layout are kept between starts.
QString savedSessionPath();
QString savedLayoutPath();

/// Sets a file that cannot be read aside, so that the next save does not destroy what a person may still mend.
/// Returns where it is: where it was, when there was no way to copy it.
QString keepDamaged(const QString& path);

}  // namespace vqscope
