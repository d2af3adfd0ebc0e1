// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/run_arguments.h"

#include "app/cli/arguments/export_request.h"
#include "widgets/parts/file_name.h"

namespace vqscope {
namespace {

Result<void> readArray(RunArguments& arguments, const QString& text) {
  const qsizetype equals = text.indexOf('=');
  if (equals < 1 || equals + 1 == text.size()) return refusedOption("--array", text, "name=FILE");
  Setting array{bytesOf(text.left(equals)), bytesOf(text.mid(equals + 1)), true};
  for (const auto& other : arguments.arrays)
    if (other.name == array.name) return invalid("--array names " + shortened(array.name) + " twice");
  arguments.arrays.push_back(std::move(array));
  return {};
}

Result<void> readExperiment(RunArguments& arguments, const QString& name) {
  if (!arguments.experiment.empty())
    return invalid("run expects one EXPERIMENT, " + shortened(arguments.experiment) + " and " + shownText(name) +
                   " were given");
  arguments.experiment = bytesOf(name);
  return {};
}

const OptionTable<RunArguments>& options() {
  static const OptionTable<RunArguments> all{
      {"--set", settingOption<RunArguments>("--set", &RunArguments::settings, false)},
      {"--array", {true, readArray}},
      {"--out", outputOption<RunArguments>()},
      {"--force", flagOption(&RunArguments::force)},
      {"--help", flagOption(&RunArguments::help)},
      {"-h", flagOption(&RunArguments::help)}};
  return all;
}

}  // namespace

Result<RunArguments> parseRunArguments(const QStringList& arguments) {
  RunArguments parsed;
  if (auto read = readArguments<RunArguments>(parsed, arguments, options(), readExperiment); !read) return read.error();
  return parsed;
}

Result<ParameterValues> runValues(const RunArguments& arguments, std::span<const ParameterSpec> specs) {
  ParameterValues values = default_values(specs);
  for (const auto& setting : arguments.settings)
    if (auto applied = applySetting(setting, specs, arguments.experiment, values); !applied) return applied.error();
  if (auto checked = check_values(specs, values); !checked) return checked.error();
  return values;
}

}  // namespace vqscope
