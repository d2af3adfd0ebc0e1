// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/export_arguments.h"
#include "core/method/method.h"

#include <string>
#include <vector>

namespace vqscope {

/// The arguments after `export METHOD` if the method is a run: its parameters, inputs and outputs.
struct RunArguments {
  const Method& method;
  const RunRecipe& recipe;
  std::vector<Setting> settings;
  std::vector<Setting> arrays;  ///< each a tensor in a file
  std::vector<Setting> files;   ///< each a file that the run reads itself; the last one of a name is used
  std::optional<std::string> preset = {};
  bool force = false;
  std::vector<std::string> outputs;
};

/// Refuses options that a run does not have, and outputs that it does not write.
Result<RunArguments> runArguments(const Method& method, const ExportArguments& given);

/// Defaults, then --set, within their ranges.
Result<ParameterValues> runValues(const RunArguments& run);

/// The run's file that the name refers to; null: none.
const RunOutput* outputOf(const RunRecipe& recipe, const std::string& path);

/// Whether the output is the report.
bool isReport(const RunOutput& output);

}  // namespace vqscope
