// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/monkey/act/hands.h"

namespace vqscope::monkey {

// Actions that need more clicks than chance makes; none while a dialog is open.
void turnPage(Hands& hands);
void useMenu(Hands& hands);
void undoSome(Hands& hands);
/// Edits any parameter, or the method of a page, as a form would, also where the form hides it.
void setValue(Hands& hands);
void setMaskText(Hands& hands);
void setCompare(Hands& hands);
/// Aggregate, colours, range, square cells.
void setLook(Hands& hands);
void openRandomSession(Hands& hands);
void openSomeFile(Hands& hands);
void dropFile(Hands& hands);
void startAgain(Hands& hands);
/// Opens the dialog of an export, of the page or of one of its views.
void exportSomething(Hands& hands);
/// Leaves something typed and turns the page, undoes or saves over it.
void typeAndTurn(Hands& hands);
void pasteConfig(Hands& hands);
void closeWindow(Hands& hands);

}  // namespace vqscope::monkey
