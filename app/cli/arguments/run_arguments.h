// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/option_table.h"
#include "core/method/parameter.h"

namespace vqscope {

/// What was written after `run`, option by option; whether it fits the experiment is for later.
struct RunArguments {
  bool help = false;
  std::string experiment;
  std::vector<Setting> settings;
  std::vector<Setting> arrays;  ///< each a tensor in a file
  bool force = false;
  QStringList outputs;
};

Result<RunArguments> parseRunArguments(const QStringList& arguments);

/// Defaults, then --set, within their ranges.
Result<ParameterValues> runValues(const RunArguments& arguments, std::span<const ParameterSpec> specs);

}  // namespace vqscope
