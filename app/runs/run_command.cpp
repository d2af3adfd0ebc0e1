// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/commands.h"

#include "app/cli/export_command.h"
#include "app/cli/output/list_text.h"
#include "app/process/console.h"
#include "core/base/text.h"
#include "core/catalogue/registry.h"
#include "core/io/bytes/path_text.h"
#include "core/run/run_store.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The page Memory has experiments too: what a memory of earlier segments holds or reaches.
std::vector<std::string> experiments() {
  std::vector<std::string> ids;
  for (const auto& method : methods())
    if (method.category == "experiments" || method.category == "memory") ids.push_back(method.id);
  return ids;
}

/// Describes inputs and parameters of experiments with inputs only; the others are in the window
/// too.
std::string help() {
  std::string text = helpOf(runCommand());
  for (const auto& method : methods())
    if (method.run()) text += "\n" + methodText(method);
  return text;
}

/// Whether the result is a sentence, which is printed.
bool saysResult(const Method& method) {
  const CurveRecipe* curves = method.curves();
  return (curves && curves->verdict) || (method.run() && method.run()->answers);
}

/// The exit status.
Result<int> runRun(ExportArguments arguments) {
  const auto known = experiments();
  if (arguments.method.empty()) return invalid("run needs an EXPERIMENT (vqscope list shows all)");
  if (std::ranges::count(known, arguments.method) == 0)
    return invalid("unknown experiment " + shortened(arguments.method) + did_you_mean(arguments.method, known) +
                   " (vqscope list shows all)");
  if (arguments.outputs.empty() && !saysResult(*find_method(arguments.method))) return invalid("run needs --out FILE");
  if (!arguments.keep) arguments.keep = default_run_folder();
  arguments.saysResult = true;
  return exportFilesOf(arguments);
}

int runOfArguments(const std::vector<std::string>& arguments) {
  const auto parsed = parseExportArguments("run", "EXPERIMENT", arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(help());
  const auto done = runRun(*parsed);
  return done ? *done : fail(done.error());
}

}  // namespace

const Command& runCommand() {
  static const Command command{.usage = "run EXPERIMENT [options] [--out FILE...]",
                               .summary = "run an experiment; some take your own tensors and models",
                               .run = runOfArguments,
                               .about = R"(
Measures an EXPERIMENT of the page Experiments or Memory (vqscope list shows them) and writes the result as export does:
.csv .npy .json .png .svg .pdf. Prints the result in one sentence with its numbers, which .json has as "verdict"; without
--out, the sentence alone. Each run of the page Experiments is also kept; vqscope runs lists them.

vq_attention reads your own tensors, all three by --array qkv=FILE, says what codewords cost in one line, and writes .npy
and .json. --batch N selects a sample, --set head=N or --head N one head. Its bias and mask are added to the scores. form=linear
needs a bias that is constant beyond block_len (theorem 3.6); otherwise the error states where it is not constant and by
how much. form=quadratic takes any bias. model_gradients reads whole files, named by --set, and writes .safetensors and
.json.
)",
                               .ending = R"(
A TENSOR is FILE or FILE:NAME of float16, bfloat16, float32 or float64 numbers in a NumPy (.npy, .npz), safetensors or
torch file; the name is optional if the file has one tensor. Dots lead into dictionaries, numbers in brackets into lists
and then into the leading dimensions (layer, head): FILE:layers[0].q[2,-1]. - is standard input.

Exit status: 0 done; 1 done, and a test of mask_test fails; 2 refused, with one line on stderr and nothing written; 130
interrupted.

qkv=FILE finds q, k and v by their names in FILE. qkv=FILE:PREFIX looks at names that begin so, qkv=Q,K,V takes tensors.
Tensors are [T, d], [heads, T, d] or [T, heads, d]; a guess is said on stderr, and --set tensor_layout=... states it.

Example: vqscope run vq_attention --array qkv=a.npz --set n_code=64
)",
                               .options = [] { return linesOf(exportOptions()); }};
  return command;
}

}  // namespace vqscope
