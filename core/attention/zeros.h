// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <vector>

namespace vqscope {

/// n zeros, for results of any size. A system hands out memory page by page as each is first written, which takes ten
/// times as long as the writing: for a large result all threads ask for its pages at once.
std::vector<float> zeros(Index n, int threads);

}  // namespace vqscope
