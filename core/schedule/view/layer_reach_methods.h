// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `layer_reach`: which tokens can influence a query after each layer, and how.
Method layer_reach_method();

/// `layer_reach_growth`: how many tokens reach it after each layer, beside the same layers with a fault and beside the
/// intended ones.
Method layer_reach_growth_method();

}  // namespace vqscope
