// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/export_arguments.h"

namespace vqscope {

/// `export block_mask`: the lists of blocks of all samples and heads, as .npz or .safetensors.
Result<void> exportBlockMask(const ExportArguments& arguments);

}  // namespace vqscope
