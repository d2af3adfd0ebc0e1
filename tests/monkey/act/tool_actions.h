// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/monkey/act/hands.h"

namespace vqscope::monkey {

/// Words in the search, and one of the rows that it finds.
void searchSomething(Hands& hands);
/// A report or a print of the page; the dialog for its file comes next.
void reportSomething(Hands& hands);
/// The editor of the mask's text as a dock, shown, hidden, or typed in.
void typeInDock(Hands& hands);
/// The folder of the files is watched, or no longer.
void watchFolder(Hands& hands);
/// A file that may be open or watched gets another content, or is gone.
void rewriteFile(Hands& hands);

}  // namespace vqscope::monkey
