// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/export_command.h"

#include "app/cli/arguments/export_request.h"
#include "app/cli/help.h"
#include "app/cli/output/progress_line.h"
#include "app/process/application.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"

#include <algorithm>

namespace vqscope {
namespace {

Result<bool> anyFigure(const QStringList& paths) {
  bool any = false;
  for (const auto& path : paths) {
    const auto format = exportFormat(path);
    if (!format) return format.error();
    any = any || isFigureFormat(*format);
  }
  return any;
}

std::string remarkOf(const ExportRequest& request, const Work& work) {
  const bool plain = request.method->remark && !subtrahend(*request.method, request.look);
  return plain ? request.method->remark(request.values, work) : std::string();
}

Result<void> write(const ExportRequest& request, const QStringList& paths, bool figures, const Interrupts& interrupts) {
  const auto application = makeApplication(figures);
  ProgressLine line;
  return exportFiles(
      request, paths, [&](double fraction) { line.show(fraction); }, interrupts.token());
}

/// Whether a file is refused for its size alone, which --force allows.
bool isBeyondLimit(const ExportRequest& request, const QStringList& paths) {
  if (request.force || !request.method->field()) return false;
  return std::ranges::any_of(paths, [&](const QString& path) {
    const auto format = exportFormat(path);
    return format && !isFigureFormat(*format) && exportSize(request, *format) > maxExportBytes;
  });
}

Result<void> run(const ExportArguments& arguments) {
  const auto figures = anyFigure(arguments.outputs);
  if (!figures) return figures.error();
  auto request = exportRequest(arguments);
  if (!request) return request.error();
  // Made once for all files; what is remarked on it comes before they appear: from then on nothing may fail.
  const Interrupts interrupts;
  const Work work{.progress = {}, .stop = interrupts.token()};
  if (auto made = makeField(*request, work); !made) return made;
  const std::string remark = remarkOf(*request, work);
  request->remark = remark;
  auto done = write(*request, arguments.outputs, *figures, interrupts);
  if (done && !remark.empty()) note(remark);
  if (done || done.error().code != Errc::too_large || !isBeyondLimit(*request, arguments.outputs)) return done;
  return Error{done.error().code, done.error().message + "; --force writes it anyway"};
}

}  // namespace

int runExport(const QStringList& arguments) {
  const auto parsed = parseExportArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(exportHelp());
  const auto done = run(*parsed);
  return done ? exitDone : fail(done.error());
}

}  // namespace vqscope
