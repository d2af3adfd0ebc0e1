// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless.h"

#include "app/application.h"
#include "app/console.h"
#include "app/export_request.h"
#include "app/interrupts.h"
#include "core/base/registry.h"

#include <QDir>

namespace vqscope {
namespace {

constexpr auto folderName = "vqscope-default-session";

Result<void> writePages(const QDir& folder, const std::stop_token& stop) {
  for (const auto& page : defaultSession().workspaces) {
    const auto* method = find_method(page.method);
    if (!method) continue;  // the survey
    const QString name = folder.filePath(QString::fromStdString(page.id));
    if (auto written = exportFiles(requestOf(*method, page), {name + ".png", name + ".csv"}, {}, stop); !written)
      return written;
  }
  return {};
}

Result<void> writeDefaultSession() {
  Interrupts interrupts;
  const auto application = makeApplication(true);
  const QDir folder(folderName);
  if (!folder.mkpath(".")) return Error{Errc::io, std::string("cannot make the directory ") + folderName};
  return writePages(folder, interrupts.token());
}

}  // namespace

int runHeadless(const QStringList& files) {
  if (!files.isEmpty())
    return fail(invalid("no display to show " + files.first().toStdString() +
                        " on; vqscope export METHOD --session FILE --out FILE needs none"));
  if (const auto written = writeDefaultSession(); !written) return fail(written.error());
  return print(std::string("No display: the default session was written to ") + folderName + "\n");
}

}  // namespace vqscope
