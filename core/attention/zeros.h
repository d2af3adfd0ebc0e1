// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <vector>

namespace vqscope {

/// n zeros, for results of any size. The system provides each page of memory when it is first
/// written, which takes ten times as long as the writing. For a large result, all threads therefore
/// populate its pages at once.
std::vector<float> zeros(Index n, int threads);

}  // namespace vqscope
