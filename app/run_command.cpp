// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/run_command.h"

#include "app/console.h"
#include "app/help.h"
#include "app/list_command.h"
#include "app/vq_attention_experiment.h"
#include "core/attention/vq_attention_run.h"

namespace vqscope {
namespace {

const std::vector<std::string> experiments{"vq_attention"};

std::string helpWithParameters() {
  std::string text(runHelp());
  text += "\nParameters of vq_attention:\n";
  for (const auto& spec : vq_attention_parameters()) text += describe(spec);
  return text;
}

Result<void> run(const RunArguments& arguments) {
  if (arguments.experiment.empty()) return invalid("run needs an EXPERIMENT: " + join(experiments, ", "));
  if (arguments.experiment != experiments.front())
    return invalid("unknown experiment " + arguments.experiment + ", must be one of " + join(experiments, ", ") +
                   did_you_mean(arguments.experiment, experiments));
  if (arguments.outputs.isEmpty()) return invalid("run needs --out FILE");
  return runVqAttention(arguments);
}

}  // namespace

int runExperiment(const QStringList& arguments) {
  const auto parsed = parseRunArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(helpWithParameters());
  const auto done = run(*parsed);
  return done ? exitDone : fail(done.error());
}

}  // namespace vqscope
