// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/export_arguments.h"
#include "app/cli/command.h"
#include "core/method/method.h"

namespace vqscope {

/// vqscope run: `export` of an experiment.
const Command& runCommand();

/// `vqscope runs [NAME...]`: the kept runs.
const Command& runsCommand();

/// `vqscope sweep EXPERIMENT --vary name=values --out DIR`.
const Command& sweepCommand();

/// `vqscope merge DIR... --out FILE`.
const Command& mergeCommand();

/// `export` of a method with a RunRecipe: reads its tensors, computes, and writes its outputs.
Result<void> runMethod(const Method& method, const ExportArguments& arguments);

}  // namespace vqscope
