// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention_input.h"
#include "core/base/result.h"

namespace vqscope {

/// Refuses what attention() refuses, except for single numbers; cheap.
Result<void> check_attention(const AttentionInput& input, const AttentionOptions& options);

/// Refuses NaN and infinities; keys and values of keys that are not valid may be anything.
Result<void> check_finite(const AttentionInput& input, const AttentionOptions& options);

}  // namespace vqscope
