// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/preset_arguments.h"

namespace vqscope {

Result<void> nameExperiment(MethodArguments& arguments) {
  if (!arguments.preset || !arguments.method.empty()) return {};
  const auto preset = require_experiment_preset(*arguments.preset);
  if (!preset) return preset.error();
  arguments.method = (*preset)->experiment->id;
  return {};
}

Result<void> applyPreset(const std::optional<std::string>& name, const Method& method, ParameterValues& values) {
  if (!name) return {};
  const auto preset = require_experiment_preset(*name);
  if (!preset) return preset.error();
  if ((*preset)->experiment != &method)
    return invalid("preset " + *name + " is for " + (*preset)->experiment->id + ", not for " + method.id);
  values = (*preset)->values;
  return {};
}

}  // namespace vqscope
