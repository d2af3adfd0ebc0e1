// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/arguments/option_table.h"
#include "app/cli/output/parity_document.h"
#include "app/cli/output/progress_line.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "core/base/sentence.h"
#include "core/capture/parity/parity.h"
#include "core/io/bytes/whole_file.h"
#include "core/report/document/html.h"

namespace vqscope {
namespace {

struct ParityArguments {
  bool help = false;
  bool json = false;
  std::vector<std::string> captures;
  std::string out;
  std::optional<Index> step;
};

OptionTable<ParityArguments> parityOptions() {
  return {{{.name = "--out", .value = "FILE", .help = "write a page to hand over, .html"},
           [](ParityArguments& a, const std::string& text) -> Result<void> {
             if (!text.ends_with(".html")) return refusedOption("--out", text, "a file named .html");
             a.out = text;
             return {};
           }},
          {{"--step", "N", "the step to compare, by default the newest of each"},
           [](ParityArguments& a, const std::string& text) { return readArrayIndex("--step", a.step, text); }},
          jsonOption<ParityArguments>()};
}

Result<ParityArguments> parseParityArguments(const std::vector<std::string>& arguments) {
  ParityArguments parsed;
  const auto word = [](ParityArguments& a, const std::string& path) -> Result<void> {
    if (path.empty()) return refusedOption("A or B", path, "a capture: a folder or a file");
    if (a.captures.size() == 2)
      return invalid("parity expects two captures A and B, {} is one too many", shown_path(path));
    a.captures.push_back(path);
    return {};
  };
  if (auto read = readArguments<ParityArguments>(parsed, arguments, parityOptions(), word); !read) return read.error();
  if (!parsed.help && parsed.captures.size() < 2) return invalid("parity needs two captures A and B: folders or files");
  return parsed;
}

std::string parityText(const Parity& parity) {
  std::string text = std::string(name_of(parity.comparison.verdict)) + ": " + parity.sentence + "\n";
  if (parity.comparison.first) text += "first difference: " + place_text(*parity.comparison.first) + "\n";
  if (parity.cause)
    text += "cause: " + parity.cause->id + ", explains " + to_text(100 * parity.cause->explained, 4) + " %\n";
  for (const TriedCause& each : parity.alternatives)
    text += "or: " + cause_sentence(each) + " (" + each.id + ", explains " + to_text(100 * each.explained, 4) + " %)\n";
  for (const std::string& each : parity.comparison.read_a) text += "read in A: " + each + "\n";
  for (const std::string& each : parity.comparison.read_b) text += "read in B: " + each + "\n";
  for (const std::string& each : parity.undetermined) text += "note: " + each + "\n";
  return text;
}

int runParity(const std::vector<std::string>& arguments) {
  const auto parsed = parseParityArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(helpOf(parityCommand()));
  const auto a = Capture::open(parsed->captures[0], parsed->step);
  if (!a) return fail(a.error());
  const auto b = Capture::open(parsed->captures[1], parsed->step);
  if (!b) return fail(b.error());
  Interrupts interrupts;
  ProgressLine line;
  const Work work{.progress = [&](double fraction) { line.show(fraction); }, .stop = interrupts.token()};
  // Of large captures, what is known before all layers are compared.
  std::function<void(const FirstDifference&)> found;
  if (!parsed->json && a->layers.size() > 8)
    found = [](const FirstDifference& first) { note("first difference: " + place_text(first)); };
  const auto parity = parity_of(*a, *b, work, found);
  if (!parity) return fail(parity.error());
  if (!parsed->out.empty()) {
    const auto written = write_whole_file(parsed->out, html_of(parityDocument(*parity, *a, *b)));
    if (!written) return fail(written.error());
  }
  const int status = print(parsed->json ? indented_json(parity_json(*parity)) : parityText(*parity));
  if (status != exitDone) return status;
  return parity->comparison.verdict == ParityVerdict::differs ? exitFindings : exitDone;
}

}  // namespace

const Command& parityCommand() {
  static const Command command{.usage = "parity A B [--out FILE] [options]",
                               .summary = "where two captures of a model first differ, and why; exit 1 if they do",
                               .run = runParity,
                               .about = R"(
A and B are captures of the same model and tokens in two engines: folders of layerNNN.safetensors (vqscope.capture
writes them), single files, or dumps under the names of Hugging Face's model debugger, vLLM, SGLang or llama.cpp. Tensors
may be missing, and in other orders of axes and other types.

Says equal, noise (what rounding explains), or differs with the first cell by layer, tensor, sample, head, row and
column. Then it tries causes on A's own tensors, as windows, documents, padding, positions, layouts and scalings of RoPE,
casts, scale, softcap, sinks, biases, heads and quantised caches, and tells the simplest that explains 90 % of the
difference or more, with what else nearly does.
)",
                               .ending = R"(
Exit status: 0 equal or noise; 1 differs; 2 cannot be read, with one line on stderr; 130 interrupted.

Examples: vqscope parity transformers_capture vllm_capture
          vqscope parity a b --json --out report.html
)",
                               .options = [] { return linesOf(parityOptions()); }};
  return command;
}

}  // namespace vqscope
