// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/export_arguments.h"
#include "core/method/method.h"

namespace vqscope {

/// `export` of a method with a RunRecipe: reads its tensors, computes, and writes its outputs.
Result<void> runMethod(const Method& method, const ExportArguments& arguments);

}  // namespace vqscope
