// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/start/headless.h"

#include "app/cli/arguments/export_request.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "app/process/program.h"
#include "app/window/start/application.h"
#include "core/catalogue/registry.h"
#include "core/io/bytes/path_text.h"
#include "core/output/exporter.h"
#include "widgets/export/figure.h"

#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <iterator>

namespace vqscope {
namespace {

constexpr auto folderName = "vqscope-default-session";

Result<void> writePages(const std::stop_token& stop) {
  WholeFiles all;
  for (const auto& info : page_infos()) {
    const ShownPage page = default_page(info);
    const auto* method = find_method(page.method);
    if (!method) continue;  // the survey
    const std::string name = std::string(folderName) + "/" + page.id;
    ExportRequest request = requestOf(*method, page);
    request.figures = qtFigureMaker();
    auto files = write_files(request, {name + ".png", name + ".csv"}, {}, stop);
    if (!files) return files.error();
    std::ranges::move(*files, std::back_inserter(all));
  }
  return commit(all);
}

/// Writes all files or none; after a failure, removes a folder that it made.
Result<void> writeDefaultSession() {
  Interrupts interrupts;
  const auto application = makeFigureApplication();
  const bool made = ::mkdir(folderName, 0777) == 0;
  if (!made && errno != EEXIST)
    return Error{Errc::io, std::string("no display, and cannot make the directory ") + folderName +
                               " for the default session: " + io_reason(errno)};
  auto written = writePages(interrupts.token());
  if (!written && made) ::rmdir(folderName);
  return written;
}

}  // namespace

int runHeadless(const std::vector<std::string>& files) {
  keepErrorsAlone();
  const auto file = fileToOpen(files);
  if (!file) return fail(file.error());
  if (!file->empty())
    return fail(invalid("no display to show " + shown_path(*file) +
                        " on; vqscope export METHOD --session FILE --out FILE needs none"));
  if (const auto written = writeDefaultSession(); !written) return fail(written.error());
  return print(std::string("No display: the default session was written to ") + folderName + "\n");
}

}  // namespace vqscope
