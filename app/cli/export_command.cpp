// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/export_command.h"

#include "app/cli/added_commands.h"
#include "app/cli/arguments/export_request.h"
#include "app/cli/arguments/figure/panel_arguments.h"
#include "app/cli/arguments/figure/pinned_request.h"
#include "app/cli/arguments/mask_arguments.h"
#include "app/cli/block_mask_export.h"
#include "app/cli/output/formats/check_formats.h"
#include "app/cli/output/formats/test_report.h"
#include "app/cli/output/printed_file.h"
#include "app/cli/output/progress_line.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "core/base/text.h"
#include "core/catalogue/registry.h"
#include "core/mask/blocks/block_mask_method.h"
#include "core/mask/map/field_on_budget.h"
#include "core/method/curve_set.h"
#include "core/method/verdict/verdict.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Figures alone: of a run, its curves.
bool areFigures(const std::vector<std::string>& paths) {
  return std::ranges::all_of(paths, [](const std::string& path) {
    const auto format = export_format(path);
    return format && is_figure_format(*format);
  });
}

std::string remarkOf(const ExportRequest& request, const Work& work) {
  const bool plain = request.method->remark && !subtrahend(*request.method, request.look);
  return plain ? request.method->remark(request.values, work) : std::string();
}

Result<void> writeResults(ExportRequest request, const std::vector<std::string>& paths, const Interrupts& interrupts) {
  ProgressLine line;
  request.trained = [&](const TrainingProgress& update) { line.showTraining(update); };
  request.phase = [&](const std::string& words) { line.setPhase(words); };
  return export_files(
      request, paths, [&](double fraction) { line.show(fraction); }, interrupts.token());
}

/// Whether a file is refused for its size alone, which --force allows.
bool isBeyondLimit(const ExportRequest& request, const std::vector<std::string>& paths) {
  if (request.force || !request.method->field()) return false;
  return std::ranges::any_of(paths, [&](const std::string& path) {
    const auto format = export_format(path);
    return format && !is_figure_format(*format) && export_size(request, *format) > most_export_bytes;
  });
}

std::string testsAs(CheckFormat format, const CurveSet& curves, const ExportArguments& arguments) {
  const LintReport report = reportOfTests(curves);
  return checkAs(format, {.report = report, .file = {.path = arguments.mask.value_or(""), .text = {}}});
}

/// The exit status.
Result<int> exportNumbers(const ExportArguments& arguments) {
  for (const auto& path : arguments.outputs)
    if (const auto format = export_format(path); !format) return format.error();
  auto request = arguments.pins ? pinnedRequest(arguments) : exportRequest(arguments);
  if (!request) return request.error();
  if (!arguments.pins)
    if (auto added = addPanels(arguments, *request); !added) return added.error();
  // Computed once for all files. Remarks are printed before the files appear, because nothing may
  // fail after that.
  const auto keepRun = addedCommands().keepRun;
  const auto kept = arguments.keep && keepRun ? keepRun(*arguments.keep, *request->method, request->values) : nullptr;
  const Interrupts interrupts(kept ? Interrupts::until_written : Interrupts::until_cancelled);
  const Work work{.progress = {}, .stop = interrupts.token()};
  if (auto made = makeField(*request, work); !made) return made.error();
  const std::string remark = remarkOf(*request, work);
  request->remark = remark;
  if (kept) request->partial = [&](const CurveSet& curves) { kept->keep(curves, false); };
  std::string failures, verdict, tests;
  request->made = [&](const CurveSet& curves) {
    if (kept) kept->keep(curves, true);
    failures = failuresIn(curves);
    if (arguments.tests) tests = testsAs(*arguments.tests, curves, arguments);
    if (arguments.saysResult) verdict = verdict_of(*request->method, curves);
  };
  auto done = writeResults(*request, arguments.outputs, interrupts);
  if (kept && !done && done.error().code == Errc::cancelled) kept->reportStop();
  if (done && !remark.empty()) note(remark);
  if (done && !failures.empty()) note("logits differ: " + failures);
  if (done && !tests.empty() && !arguments.format) print(tests);
  if (done && !arguments.tests && !verdict.empty() && !arguments.format) print(verdict + "\n");
  if (done) return failures.empty() ? exitDone : exitFindings;
  if (!is_over_budget(done.error()) &&
      (done.error().code != Errc::too_large || !isBeyondLimit(*request, arguments.outputs)))
    return done.error();
  return Error{done.error().code, done.error().message + "; --force writes it anyway"};
}

int runExport(const std::vector<std::string>& arguments) {
  const auto parsed = parseExportArguments("export", "METHOD", arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(helpOf(exportCommand()));
  if (parsed->method.empty() && !parsed->pins) return fail(invalid("export needs a METHOD (vqscope list shows all)"));
  if (parsed->outputs.empty()) return fail(invalid("export needs --out FILE"));
  const auto done = exportFilesOf(*parsed);
  return done ? *done : fail(errorOfText(done.error(), parsed->mask));
}

}  // namespace

namespace {

/// The exit status.
Result<int> exportNamedFiles(const ExportArguments& arguments) {
  if (arguments.method == block_mask_method().id) {
    const auto done = exportBlockMask(arguments);
    return done ? Result<int>(exitDone) : done.error();
  }
  const Method* method = find_method(arguments.method);
  const auto runMethod = addedCommands().runMethod;
  const bool files = method && method->run() && !(method->curves() && areFigures(arguments.outputs));
  if (!files || !runMethod) return exportNumbers(arguments);
  const auto done = runMethod(*method, arguments);
  return done ? Result<int>(exitDone) : done.error();
}

Result<int> exportPrinted(const ExportArguments& arguments) {
  PrintedFile file(*arguments.format);
  const auto path = file.path();
  if (!path) return path.error();
  ExportArguments named = arguments;
  named.outputs = {*path};
  const auto done = exportNamedFiles(named);
  if (!done) return file.named(done.error());
  const auto printed = file.print();
  return printed ? done : printed.error();
}

}  // namespace

Result<int> exportFilesOf(const ExportArguments& arguments) {
  return arguments.format ? exportPrinted(arguments) : exportNamedFiles(arguments);
}

const Command& exportCommand() {
  static const Command command{.usage = "export METHOD [options] --out FILE...",
                               .summary = "numbers (.csv .npy .json) or a figure (.png .svg .pdf)",
                               .run = runExport,
                               .about = "",
                               .ending = R"(
Numbers may be written 2M, 4k (M = 1024 x 1024, k = 1024), 2^20, 1e6 or 2_097_152.
Exit status: 0 done; 1 done, and a test of mask_test fails; 2 refused, with one line on stderr and nothing written; 130
interrupted.

Examples:
  vqscope export t5_bucket --set q_length=64 --out buckets.csv buckets.png
  vqscope export rope_inv_freq --out - --format csv | head
  vqscope export block_mask --set mask=packed --set q_length=2M --out blocks.npz
  vqscope export visibility --set q_length=64 --panel mask=bidirectional --panel mask=sliding_window \
      --width two-columns --out masks.pdf
  vqscope export --session masks.pdf --pins --theme dark --out slide.png
)",
                               .options = [] { return linesOf(exportOptions()); }};
  return command;
}

}  // namespace vqscope
