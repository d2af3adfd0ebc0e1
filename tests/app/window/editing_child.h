// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"

#include <QByteArray>

namespace vqscope::test {

constexpr const char* editingChildOption = "--edit-until-killed";

/// Digest of the state that undo steps change; page changes and views are no steps.
QByteArray digestOf(const Session& session);

/// A run of this test binary as a person who works until the program is killed: takes up what was
/// left, then makes random edits and saves, one when the one before is on the disk. Arguments:
/// window or session, seed, file to save to, steps until an orderly end. Says on stdout what it
/// does, a line each: "begin D", "step D", "kept", "saving D", "saved", "end".
int editUntilKilled(int argc, char** argv);

}  // namespace vqscope::test
