// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/monkey/act/hands.h"

namespace vqscope::monkey {

/// Answers a question, or gives a file dialog a path in the folder of files; false where neither is
/// in front, or chance has something else in mind. Nothing else is ever done to a file dialog: it
/// could reach, and delete, other files.
bool answerDialog(Hands& hands);

/// One step on the way back to the window alone: releases the mouse, closes what is in front of it.
/// False: it is alone.
bool unwind(Hands& hands);

}  // namespace vqscope::monkey
