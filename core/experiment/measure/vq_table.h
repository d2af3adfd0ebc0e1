// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// Lengths of the paper's tables below `last`, and `last` itself.
std::vector<double> table_lengths(Index last);

/// `vq_table`: speed-up of VQ attention over full attention on this machine, by head type,
/// reduction and length as in tables 6 to 9 of the paper, shown with the published figures.
Method vq_table_method();

}  // namespace vqscope
