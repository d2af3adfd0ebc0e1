// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/main_window.h"
#include "tests/monkey/act/chance.h"

#include <QStringList>

namespace vqscope::monkey {

/// Maps of a window at rest that say "exact" and show other cells than the values in the form have:
/// each field is made anew and compared where chance looks. Takes as long as making it does.
QStringList falseMaps(MainWindow& window, Chance& chance);

/// Outdated results without a mark, while values are computed or the form has an error.
QStringList unmarked(MainWindow& window);

}  // namespace vqscope::monkey
