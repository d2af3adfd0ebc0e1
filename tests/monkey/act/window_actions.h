// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/monkey/act/hands.h"

namespace vqscope::monkey {

// Actions of window manager, desktop and system on a window, also while a dialog is open.
/// Also to sizes in which nothing fits, to the whole screen, or away and back.
void resizeWindow(Hands& hands);
void switchTheme(Hands& hands);
/// Another program has the keyboard for a moment.
void leaveWindow(Hands& hands);
/// A request to end from outside closes the window, whatever is open in front of it.
void interrupt(Hands& hands);
/// Tooltip, "What's this?" or status tip of some widget.
void requestHelp(Hands& hands);
/// Text that is composed, as of Japanese, in whatever has the keyboard.
void composeText(Hands& hands);

// Docks; none while a dialog is open.
void toggleDock(Hands& hands);
/// At the edges of a dock, or by a tab, with pages that turn on the way.
void dragDock(Hands& hands);

}  // namespace vqscope::monkey
