// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <pthread.h>

namespace vqscope::monkey {

/// Where a thread is just now, one frame a line, innermost first; from another thread. Of frames
/// without a name their place in the binary, as addr2line takes it.
QString stackOf(pthread_t thread);

}  // namespace vqscope::monkey
