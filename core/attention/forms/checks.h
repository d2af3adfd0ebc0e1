// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention.h"

namespace vqscope {

/// Refuses NaN and infinities; keys and values of keys that are not valid may be anything.
Result<void> check_finite(const AttentionInput& input, const AttentionOptions& options);

}  // namespace vqscope
