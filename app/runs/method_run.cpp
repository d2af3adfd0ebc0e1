// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/commands.h"

#include "app/cli/output/progress_line.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "app/runs/keep_run.h"
#include "app/runs/run_inputs.h"
#include "app/runs/run_report.h"
#include "core/base/machine.h"
#include "core/base/text.h"
#include "core/export/number_files.h"
#include "core/io/bytes/path_text.h"
#include "core/io/bytes/whole_file.h"
#include "core/method/run_result.h"
#include "core/method/verdict/verdict.h"
#include "core/output/exporter.h"

#include <algorithm>
#include <filesystem>

namespace vqscope {
namespace {

/// Fraction of the progress; the rest belongs to the method.
constexpr double shareOfReading = 0.1;

Result<void> checkSize(const RunArguments& run, const std::string& suffix, double bytes) {
  const auto large = std::ranges::find_if(
      run.outputs, [&](const std::string& path) { return outputOf(run.recipe, path)->suffix == suffix; });
  if (large == run.outputs.end() || bytes <= most_export_bytes || run.force) return {};
  return Error{Errc::too_large, shown_path(*large) + " would have about " + byte_count(bytes) +
                                    ", more than the limit of " + byte_count(most_export_bytes) +
                                    "; --force writes it anyway"};
}

std::vector<std::string> suffixesOf(const RunArguments& run) {
  std::vector<std::string> suffixes;
  for (const auto& path : run.outputs) suffixes.push_back(outputOf(run.recipe, path)->suffix);
  return suffixes;
}

/// Bytes for a run and its tensors: all of the machine's, or fewer if the method has a limit of its
/// own.
double memoryFor(const ParameterValues& values) {
  const double memory = this_machine().memory;
  const bool limited = values.find("most_memory") != nullptr;
  return limited ? std::min(memory, values.real("most_memory") * 0x1p30) : memory;
}

Result<RunResult> compute(const RunArguments& run, const ParameterValues& values, const StoredTensors& stored,
                          const RunFiles& files, const Work& work) {
  const Clock clock;
  auto inputs = readTensors(stored, {[&](double part) { work.report(shareOfReading * part); }, work.stop});
  if (!inputs) return inputs.error();
  const double reading = clock.seconds();
  auto result =
      make_run(run.method,
               {.inputs = std::move(*inputs),
                .memory = memoryFor(values),
                .files = files,
                .accept = [&](const std::string& suffix, double bytes) { return checkSize(run, suffix, bytes); },
                .outputs = suffixesOf(run)},
               values,
               {[&](double part) { work.report(shareOfReading + part * (1 - shareOfReading)); }, work.stop,
                work.partial, work.trained});
  if (!result) return withFiles(result.error(), run);
  result->seconds.emplace(result->seconds.begin(), "read", reading);
  return result;
}

Result<void> writeRun(const RunArguments& run, const RunResult& result, const std::string& report,
                      const WholeFiles& files, const std::stop_token& stop) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    const RunOutput& output = *outputOf(run.recipe, run.outputs[i]);
    auto written = isReport(output) ? files[i]->write(report)
                                    : write_run_content(result.contents.at(output.suffix), *files[i], stop);
    if (written) written = files[i]->flush();
    if (!written) return written;
  }
  if (stop.stop_requested()) return cancelled();
  return commit(files);
}

/// Hours of training are not lost to a full disk: the files go into the folder of the kept run.
/// Returns a note on it; empty: they cannot be written there either.
std::string rescue(RunArguments run, const RunResult& result, const std::string& report, const KeptRunFile& kept) {
  const std::string folder = kept.folderOfFiles();
  std::error_code failed;
  if (folder.empty() || !(std::filesystem::create_directories(folder, failed), failed == std::error_code())) return {};
  for (std::string& path : run.outputs) path = folder + "/" + std::string(file_name(path));
  const auto files = open_whole_files(run.outputs);
  const bool saved = files && writeRun(run, result, report, *files, {});
  return saved ? "; the files are in " + shown_path(folder) : std::string();
}

/// Prints the result in one sentence, unless a file goes to standard output.
void printSummary(const Method& method, const RunResult& result) {
  const ParameterValue* summary = result.facts.find("summary");
  const std::string sentence = summary         ? std::get<std::string>(*summary)
                               : result.curves ? verdict_of(method, *result.curves)
                                               : std::string();
  if (!sentence.empty()) print(sentence + "\n");
}

/// Inputs of the run, with files by their paths.
ParameterValues withPaths(ParameterValues values, const RunFiles& files) {
  for (const auto& [name, file] : files) values.set(name, file.path);
  return values;
}

/// The tensors are files of their own; the kept run holds only the duration of each part.
CurveSet timesOf(const RunResult& result) {
  CurveSet times;
  times.x_name = "none";
  for (const auto& [part, seconds] : result.seconds) times.facts.emplace_back("seconds_" + part, seconds);
  return times;
}

}  // namespace

Result<void> runMethod(const Method& method, const ExportArguments& arguments) {
  auto run = runArguments(method, arguments);
  if (!run) return run.error();
  auto values = runValues(*run);
  if (!values) return values.error();
  const auto stored = findTensors(*run, memoryFor(*values));
  if (!stored) return stored.error();
  const std::string unused = takeMask(*run, {});
  const auto whole = findFiles(*run);
  if (!whole) return whole.error();
  const auto implied = takeImplied(*run, *stored, *values);
  Interrupts interrupts(Interrupts::until_written);
  // Open the files before the work starts, to report a path that cannot be written at once.
  const auto files = open_whole_files(arguments.outputs);
  if (!files) return files.error();
  ProgressLine line;
  std::optional<KeptRunFile> kept;
  const ParameterValues with = withPaths(*values, *whole);
  if (arguments.keep) kept.emplace(*arguments.keep, method, with);
  Work work{[&](double fraction) { line.show(fraction); }, interrupts.token()};
  work.trained = [&](const TrainingProgress& progress) { line.showTraining(progress); };
  if (kept) work.partial = [&](const CurveSet& curves) { kept->keepNowAndThen(curves); };
  const auto result = compute(*run, *values, *stored, *whole, work);
  if (!result && kept && result.error().code == Errc::cancelled) kept->reportStop();
  if (!result) return result.error();
  if (kept) kept->keep(result->curves ? *result->curves : timesOf(*result), !interrupts.token().stop_requested());
  const std::string report = reportAsJson(method, *values, *stored, *whole, *result);
  // A stopped training has a result: it is written, and the stop is reported after it.
  const bool stopped = interrupts.token().stop_requested();
  auto written = writeRun(*run, *result, report, *files, stopped ? std::stop_token() : interrupts.token());
  if (!written && written.error().code == Errc::io && result->curves && kept)
    written = Error{Errc::io, written.error().message + rescue(*run, *result, report, *kept)};
  for (const auto* remarks : {&implied, &result->remarks})
    for (const auto& remark : *remarks)
      if (written) note(remark);
  if (written && !unused.empty()) note(unused);
  if (written && !arguments.format) printSummary(method, *result);
  return written && stopped ? Result<void>(cancelled()) : written;
}

}  // namespace vqscope
