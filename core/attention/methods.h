// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

// What each one shows, the help of its method says.
Method xl_reach_method();
Method vq_attention_method();
Method xl_costs_method();
Method xl_gradient_paths_method();

}  // namespace vqscope
