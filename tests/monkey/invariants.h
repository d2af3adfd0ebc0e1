// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/main_window.h"

#include <QStringList>

namespace vqscope::monkey {

/// The pages that differ, by id, and what else does.
QStringList differing(const Session& a, const Session& b);

/// What must hold of a window at any time.
QStringList brokenNow(MainWindow& window);

/// What must hold of one that has nothing left to do and no dialog open. Goes back and forth on the undo stack.
QStringList brokenAtRest(MainWindow& window);

/// What of a window is at work.
QStringList busyParts(MainWindow& window);

}  // namespace vqscope::monkey
