// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/run_arguments.h"

#include "app/cli/arguments/export_request.h"
#include "app/cli/arguments/mask_arguments.h"
#include "app/cli/arguments/preset_arguments.h"
#include "core/base/text.h"
#include "core/io/bytes/path_text.h"

#include <algorithm>

namespace vqscope {
namespace {

Result<void> checkOutputs(const RunArguments& run) {
  std::vector<std::string> known;
  for (const auto& output : run.recipe.outputs) known.push_back(output.suffix);
  for (const auto& path : run.outputs)
    if (!outputOf(run.recipe, path))
      return invalid("cannot tell a format from " + shown_path(path) + ", must end with ." + join(known, " or ."));
  return {};
}

/// Refuses options that apply to pictures and masks only.
Result<void> checkOptions(const RunArguments& run, const ExportArguments& given) {
  const std::pair<const char*, bool> others[]{
      {"--session", given.session.has_value()},
      {"--mask", given.mask.has_value()},
      {"--minus", !given.minus.empty()},
      {"--minus-mask", given.minusMask.has_value()},
      {"--rows", given.rows.has_value()},
      {"--cols", given.cols.has_value()},
      {"--width", given.width.has_value()},
      {"--height", given.height.has_value()},
      {"--dpi", given.dpi.has_value()},
      {"--aggregate", given.aggregate.has_value()},
      {"--colour-map", given.colourMap.has_value()},
      {"--log", given.axes.has_value()},
      {"--square", given.square},
      {"--polarity, --threshold, --batch or --head", hasImportOptions(given.imported)}};
  for (const auto& [option, isGiven] : others)
    if (isGiven) return invalid(std::string(option) + " is for matrices and curves, " + run.method.id + " is a run");
  return {};
}

bool isFile(const RunRecipe& recipe, const Setting& setting) {
  const auto input = std::ranges::find(recipe.inputs, setting.name, &RunInput::name);
  return !setting.array && input != recipe.inputs.end() && input->file;
}

/// Parameters of the method and names of its files: both count for "did you mean".
std::vector<ParameterSpec> knownNames(const RunArguments& run) {
  std::vector<ParameterSpec> specs = run.method.parameters;
  for (const auto& input : run.recipe.inputs)
    if (input.file) specs.push_back({.name = input.name, .kind = ParameterKind::text, .default_value = std::string()});
  return specs;
}

}  // namespace

Result<RunArguments> runArguments(const Method& method, const ExportArguments& given) {
  RunArguments run{.method = method,
                   .recipe = *method.run(),
                   .preset = given.preset,
                   .force = given.force,
                   .outputs = given.outputs};
  if (auto checked = checkOptions(run, given); !checked) return checked.error();
  for (const auto& setting : given.settings) {
    if (setting.array && setting.value.empty()) return refusedOption("--array", setting.name + "=", "name=FILE");
    if (setting.array && std::ranges::count(run.arrays, setting.name, &Setting::name) > 0)
      return invalid("--array names " + shortened(setting.name) + " twice");
    (setting.array ? run.arrays : isFile(run.recipe, setting) ? run.files : run.settings).push_back(setting);
  }
  if (auto checked = checkOutputs(run); !checked) return checked.error();
  return run;
}

Result<ParameterValues> runValues(const RunArguments& run) {
  const auto specs = knownNames(run);
  ParameterValues values = default_values(run.method.parameters);
  if (auto applied = applyPreset(run.preset, run.method, values); !applied) return applied.error();
  for (const auto& setting : run.settings)
    if (auto applied = applySetting(setting, specs, run.method.id, values); !applied) return applied.error();
  if (auto checked = check_method_values(run.method, values); !checked) return checked.error();
  return values;
}

const RunOutput* outputOf(const RunRecipe& recipe, const std::string& path) {
  return find_output(recipe.outputs, lower_case(path));
}

bool isReport(const RunOutput& output) { return output.suffix == "json"; }

}  // namespace vqscope
