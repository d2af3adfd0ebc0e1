// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_command.h"

#include "app/cli/export_command.h"
#include "app/cli/help.h"
#include "app/cli/list_command.h"
#include "app/cli/vq_attention_experiment.h"
#include "app/process/console.h"
#include "core/attention/run/vq_attention_parameters.h"
#include "core/catalogue/registry.h"
#include "widgets/parts/file_name.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr auto own_experiment = "vq_attention";

bool isMeasured(const Method& method) { return method.category == "experiments"; }

/// vq_attention, and those that the registry has.
std::vector<std::string> experiments() {
  std::vector<std::string> ids{own_experiment};
  for (const auto& method : methods())
    if (isMeasured(method)) ids.push_back(method.id);
  return ids;
}

/// An experiment of the registry is a set of curves: export writes those, with its progress and its cancel.
bool namesCurves(const QStringList& arguments) {
  return std::ranges::any_of(arguments, [](const QString& word) {
    const Method* method = find_method(bytesOf(word));
    return method && isMeasured(*method);
  });
}

std::string helpWithParameters() {
  std::string text(runHelp());
  text += "\nParameters of vq_attention:\n";
  for (const auto& spec : vq_attention_parameters()) text += describe(spec);
  return text;
}

Result<void> run(const RunArguments& arguments) {
  const auto known = experiments();
  if (arguments.experiment.empty()) return invalid("run needs an EXPERIMENT: " + join(known, ", "));
  if (arguments.experiment != own_experiment)
    return invalid("unknown experiment " + shortened(arguments.experiment) + ", must be one of " + join(known, ", ") +
                   did_you_mean(arguments.experiment, known));
  if (arguments.outputs.isEmpty()) return invalid("run needs --out FILE");
  return runVqAttention(arguments);
}

}  // namespace

int runExperiment(const QStringList& arguments) {
  if (namesCurves(arguments)) return runExport(arguments);
  const auto parsed = parseRunArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(helpWithParameters());
  const auto done = run(*parsed);
  return done ? exitDone : fail(done.error());
}

}  // namespace vqscope
