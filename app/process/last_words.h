// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vqscope {

/// From here on an exception that nothing can catch, such as one within a noexcept function of a library, ends the
/// program with one sentence and exit 2, not with a core dump.
void speakLastWords();

/// Called inside a catch block: the exception as a sentence on stderr; the exit status. Needs no memory.
int failOfException();

}  // namespace vqscope
