// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// Tokens that a model of somebody's own writes after a prompt.
Method generate_tokens_method();

}  // namespace vqscope
