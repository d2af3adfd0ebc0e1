// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/monkey/act/hands.h"

namespace vqscope::monkey {

// Mouse, wheel and keyboard: also in dialogs and menus.
void moveMouse(Hands& hands);
void clickSomewhere(Hands& hands);
void rightClick(Hands& hands);
void doubleClick(Hands& hands);
void dragMouse(Hands& hands);
/// A button that stays down while other things happen.
void holdMouse(Hands& hands);
void turnWheel(Hands& hands);
void pressKey(Hands& hands);
void useShortcut(Hands& hands);
void typeSomething(Hands& hands);
/// Goes into a box, replaces its text and leaves it in one of the ways there are.
void fillEditor(Hands& hands);
void pasteText(Hands& hands);

}  // namespace vqscope::monkey
