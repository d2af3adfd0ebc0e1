// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention_input.h"

namespace vqscope {

/// Approximate bytes for the output and the work.
double attention_memory(const AttentionInput& input, const AttentionOptions& options);

}  // namespace vqscope
