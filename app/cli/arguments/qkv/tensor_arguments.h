// SPDX-License-Identifier: GPL-3.0-or-later
// Queries, keys and values of a method that names tensors by parameters: --array qkv=FILE.
#pragma once

#include "app/cli/arguments/option_table.h"
#include "core/method/method.h"

namespace vqscope {

/// Replaces --array qkv=, q=, k=, v= and codebook= by settings of the method's parameters, and takes
/// --batch and --head. Data and lengths that are not set follow the tensors. For methods
/// without a remark, says on stderr which head is used and how a layout was guessed. Methods without tensors of q and k
/// keep all arguments.
Result<void> takeTensors(MethodArguments& arguments, const Method& method);

}  // namespace vqscope
