// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// Tokens that a model supplied by the user generates after a prompt.
Method generate_tokens_method();

}  // namespace vqscope
