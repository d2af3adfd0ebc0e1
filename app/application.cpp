// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/application.h"

#include <QApplication>

#include <cstdio>

namespace vqscope {
namespace {

// Qt keeps references to both as long as the application lives.
int argumentCount = 1;
char programName[] = "vqscope";
char* programArguments[] = {programName, nullptr};

/// Qt remarks on the machine (no XDG_RUNTIME_DIR, a font's metrics); stderr is for one line that names an error.
void keepErrors(QtMsgType type, const QMessageLogContext&, const QString& message) {
  if (type == QtCriticalMsg || type == QtFatalMsg) std::fputs(qPrintable(message + '\n'), stderr);
}

}  // namespace

std::unique_ptr<QCoreApplication> makeApplication(bool figures) {
  qInstallMessageHandler(keepErrors);
  if (!figures) return std::make_unique<QCoreApplication>(argumentCount, programArguments);
  qputenv("QT_QPA_PLATFORM", "offscreen");
  return std::make_unique<QApplication>(argumentCount, programArguments);
}

bool hasDisplay() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
    if (!qEnvironmentVariableIsEmpty(name)) return true;
  return false;
}

}  // namespace vqscope
