// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/monkey/act/hands.h"

namespace vqscope::monkey {

/// Views by their tabs, lines of the room's list by mouse and arrow keys, in turns.
void turnViews(Hands& hands);
/// Rooms in between sessions: new ones, opened ones, undone ones.
void turnSessions(Hands& hands);
/// Files, one or several, dropped while something is being computed.
void dropOnWork(Hands& hands);

}  // namespace vqscope::monkey
