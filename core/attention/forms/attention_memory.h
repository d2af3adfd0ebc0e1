// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention_input.h"

namespace vqscope {

/// Approximate bytes for the output and the work.
double attention_memory(const AttentionInput& input, const AttentionOptions& options);

/// Rough seconds of one core, for budgets: by the multiplications and exponentials, at speeds that
/// any processor of the last ten years has. Masks and blocks that are skipped make it less.
double attention_seconds(const AttentionInput& input, const AttentionOptions& options);

}  // namespace vqscope
