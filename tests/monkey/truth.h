// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/main_window.h"
#include "tests/monkey/chance.h"

#include <QStringList>

namespace vqscope::monkey {

/// Maps of a window at rest that say "exact" and show other cells than the values in the form have: each field is made
/// anew and compared where chance looks. Takes as long as making it does.
QStringList falseMaps(MainWindow& window, Chance& chance);

}  // namespace vqscope::monkey
