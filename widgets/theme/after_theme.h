// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QObject;

namespace vqscope {

/// Runs the work now or, while a theme is applied, after it: meanwhile Qt goes through all widgets, none
/// of which may be deleted. A splitter, too, deletes the handle of a widget that leaves it. The work is
/// dropped with the receiver.
void afterTheme(QObject* receiver, std::function<void()> work);

}  // namespace vqscope
