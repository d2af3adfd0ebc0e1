// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vqscope {

/// After this call, an exception that cannot be caught, such as one within a noexcept function of a library, ends the
/// program with one sentence and exit status 2 instead of a core dump.
void speakLastWords();

/// For catch blocks: prints the current exception as a sentence on stderr and returns the exit status. Allocates no
/// memory.
int failOfException();

}  // namespace vqscope
