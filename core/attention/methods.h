// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

// The help of each method describes what it shows.
Method xl_reach_method();
Method vq_attention_method();
Method xl_costs_method();
Method xl_gradient_paths_method();

}  // namespace vqscope
