// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `long_context_costs`: the same tokens through full attention and its replacements for long
/// sequences.
Method long_context_costs_method();

}  // namespace vqscope
