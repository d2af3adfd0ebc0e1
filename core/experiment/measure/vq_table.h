// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <vector>

namespace vqscope {

/// Lengths of the paper's tables below `last`, and `last` itself.
std::vector<double> table_lengths(Index last);

}  // namespace vqscope
