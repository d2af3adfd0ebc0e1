// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/run_arguments.h"

namespace vqscope {

/// `vqscope run vq_attention`: reads the tensors, computes, and writes the output and the report.
Result<void> runVqAttention(const RunArguments& arguments);

}  // namespace vqscope
