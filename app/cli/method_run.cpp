// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/method_run.h"

#include "app/cli/arguments/run_tensors.h"
#include "app/cli/output/progress_line.h"
#include "app/cli/output/run_report.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "core/base/machine.h"
#include "core/base/text.h"
#include "core/io/bytes/whole_file.h"
#include "core/io/npy/npy_writer.h"
#include "widgets/export/exporter.h"
#include "widgets/parts/file_name.h"

#include <QElapsedTimer>

#include <algorithm>

namespace vqscope {
namespace {

/// Of the progress; the rest is the method's.
constexpr double shareOfReading = 0.1;

Result<void> checkSize(const RunArguments& run, const std::vector<Index>& shape) {
  const auto large = std::ranges::find_if(run.outputs, [](const QString& path) { return !isReport(path); });
  const double bytes = floatBytes(shape);
  if (large == run.outputs.end() || bytes <= maxExportBytes || run.force) return {};
  return Error{Errc::too_large, shownPath(*large) + " would have about " + byte_count(bytes) +
                                    ", more than the limit of " + byte_count(maxExportBytes) +
                                    "; --force writes it anyway"};
}

Result<RunResult> compute(const RunArguments& run, const ParameterValues& values, const StoredTensors& stored,
                          const Work& work) {
  QElapsedTimer clock;
  clock.start();
  auto inputs = readTensors(stored, {[&](double part) { work.report(shareOfReading * part); }, work.stop});
  if (!inputs) return inputs.error();
  const double reading = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
  auto result =
      make_run(run.method,
               {.inputs = std::move(*inputs),
                .memory = this_machine().memory,
                .accept = [&](const std::vector<Index>& shape) { return checkSize(run, shape); }},
               values, {[&](double part) { work.report(shareOfReading + part * (1 - shareOfReading)); }, work.stop});
  if (!result) return withFiles(result.error(), run);
  result->seconds.emplace(result->seconds.begin(), "read", reading);
  return result;
}

Result<void> write(const RunArguments& run, const Tensor& output, const std::string& report, const WholeFiles& files,
                   const std::stop_token& stop) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto written = isReport(run.outputs[static_cast<qsizetype>(i)])
                       ? files[i]->write(report)
                       : write_npy(output.shape, output.values, *files[i], {{}, stop});
    if (written) written = files[i]->flush();
    if (!written) return written;
  }
  if (stop.stop_requested()) return cancelled();
  return commit(files);
}

}  // namespace

Result<void> runMethod(const Method& method, const ExportArguments& arguments) {
  const auto run = runArguments(method, arguments);
  if (!run) return run.error();
  auto values = runValues(*run);
  if (!values) return values.error();
  const auto stored = findTensors(*run, this_machine().memory);
  if (!stored) return stored.error();
  takeImplied(*run, *stored, *values);
  Interrupts interrupts;
  // Before the work: a path that cannot be written is told at once.
  WholeFiles files;
  for (const auto& path : arguments.outputs) {
    auto file = WholeFile::open(bytesOf(path));
    if (!file) return file.error();
    files.push_back(std::move(*file));
  }
  ProgressLine line;
  const auto result =
      compute(*run, *values, *stored, {[&](double fraction) { line.show(fraction); }, interrupts.token()});
  if (!result) return result.error();
  const std::string report = reportAsJson(method, *values, *stored, *result);
  auto written = write(*run, result->output, report, files, interrupts.token());
  if (written)
    for (const auto& remark : result->remarks) note(remark);
  return written;
}

}  // namespace vqscope
