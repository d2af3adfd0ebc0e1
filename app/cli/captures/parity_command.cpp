// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/arguments/option_table.h"
#include "app/cli/captures/step_watch.h"
#include "app/cli/output/parity/parity_document.h"
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
  bool watch = false;
  std::optional<double> timeout;  ///< seconds
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
          flagOption("--watch", &ParityArguments::watch,
                     "compare each step while A and B are being captured; end at the first that differs"),
          {{"--timeout", "SECONDS", "with --watch, end after that time; if not given, when both are whole"},
           [](ParityArguments& a, const std::string& text) -> Result<void> {
             a.timeout = parse_real(text);
             if (!a.timeout || !(*a.timeout >= 0))
               return refusedOption("--timeout", text, "a number of seconds from 0");
             return {};
           }},
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
  if (parsed.watch && parsed.step) return invalid("--watch looks at every step, --step at one");
  if (parsed.timeout && !parsed.watch) return invalid("--timeout is for --watch");
  return parsed;
}

std::string parityText(const Parity& parity) {
  std::string text = std::string(name_of(parity.comparison.verdict)) + ": " + parity.sentence + "\n";
  if (parity.comparison.first) text += "first difference: " + place_text(*parity.comparison.first) + "\n";
  if (parity.cause) {
    text += "cause: " + parity.cause->id + ", explains " + to_text(100 * parity.cause->explained, 4) + " %\n";
    const std::string call = cause_call(*parity.cause);
    for (const std::string_view line : split(call, '\n'))
      if (!line.empty()) text += fmt::format("  {}\n", line);
  }
  for (const TriedCause& each : parity.alternatives)
    text += "or: " + cause_sentence(each) + " (" + each.id + ", explains " + to_text(100 * each.explained, 4) + " %)\n";
  for (const std::string& each : parity.comparison.read_a) text += "read in A: " + each + "\n";
  for (const std::string& each : parity.comparison.read_b) text += "read in B: " + each + "\n";
  for (const std::string& each : parity.undetermined) text += "note: " + each + "\n";
  return text;
}

int compare(const ParityArguments& arguments, std::optional<Index> step, const Interrupts& interrupts) {
  const auto a = Capture::open(arguments.captures[0], step);
  if (!a) return fail(a.error());
  const auto b = Capture::open(arguments.captures[1], step);
  if (!b) return fail(b.error());
  ProgressLine line;
  const Work work{.progress = [&](double fraction) { line.show(fraction); }, .stop = interrupts.token()};
  // Of large captures, what is known before all layers are compared.
  std::function<void(const FirstDifference&)> found;
  if (!arguments.json && a->layers.size() > 8)
    found = [](const FirstDifference& first) { note("first difference: " + place_text(first)); };
  const auto parity = parity_of(*a, *b, work, found);
  if (!parity) return fail(parity.error());
  const bool differs = parity->comparison.verdict == ParityVerdict::differs;
  if (!arguments.out.empty() && (differs || !arguments.watch)) {
    const auto written = write_whole_file(arguments.out, html_of(parityDocument(*parity, *a, *b)));
    if (!written) return fail(written.error());
  }
  // A step that agrees is a line; the first that does not is told whole.
  std::string text = arguments.watch ? fmt::format("step {}: ", *step) : "";
  if (arguments.json)
    text = indented_json(parity_json(*parity));
  else
    text += arguments.watch && !differs ? std::string(name_of(parity->comparison.verdict)) + "\n" : parityText(*parity);
  const int status = arguments.json && arguments.watch && !differs ? exitDone : print(text);
  if (status != exitDone) return status;
  return differs ? exitFindings : exitDone;
}

int runParity(const std::vector<std::string>& arguments) {
  const auto parsed = parseParityArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(helpOf(parityCommand()));
  const Interrupts interrupts;
  if (!parsed->watch) return compare(*parsed, parsed->step, interrupts);
  return watchSteps(parsed->captures, parsed->timeout, interrupts.token(),
                    [&](Index step) { return compare(*parsed, step, interrupts); });
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
          vqscope parity a b --watch --timeout 3600
)",
                               .options = [] { return linesOf(parityOptions()); }};
  return command;
}

}  // namespace vqscope
