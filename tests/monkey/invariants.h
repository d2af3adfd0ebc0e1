// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/main_window.h"

#include <QStringList>

namespace vqscope::monkey {

/// The pages that differ, by id, and what else does.
QStringList differing(const Session& a, const Session& b);

/// Invariants of a window at any time.
QStringList brokenNow(MainWindow& window);

/// Invariants of an idle window without a dialog. Goes back and forth on the undo stack.
QStringList brokenAtRest(MainWindow& window);

/// The busy parts of a window.
QStringList busyParts(MainWindow& window);

}  // namespace vqscope::monkey
