// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

#include <memory>

namespace vqscope {

/// What a command needs around it: for figures a QApplication that draws in memory, so that no display is asked for
/// and none can change the picture; for numbers the core alone.
std::unique_ptr<QCoreApplication> makeApplication(bool figures);

/// Whether a window could be shown.
bool hasDisplay();

}  // namespace vqscope
