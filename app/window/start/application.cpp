// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/start/application.h"

#include "core/base/guard.h"
#include "widgets/parts/spare_memory.h"

#include <cstdio>
#include <new>

namespace vqscope {
namespace {

// Qt keeps references to both as long as the application lives.
int argumentCount = 1;
char programName[] = "vqscope";
char* programArguments[] = {programName, nullptr};

/// Memory that Qt's libraries need until the first figure is painted. Without it, they crash.
constexpr double bytesOfStart = 64 << 20;

/// Drops warnings: they are about a missing XDG_RUNTIME_DIR or about font metrics.
void keepErrors(QtMsgType type, const QMessageLogContext&, const QString& message) {
  if (type == QtCriticalMsg || type == QtFatalMsg) std::fputs(qPrintable(message + '\n'), stderr);
}

}  // namespace

void keepErrorsAlone() { qInstallMessageHandler(keepErrors); }

std::unique_ptr<QApplication> makeFigureApplication() {
  const SpareMemory spare;
  if (!isMemoryFor(bytesOfStart)) throw std::bad_alloc();
  qputenv("QT_QPA_PLATFORM", "offscreen");
  auto made = std::make_unique<QApplication>(argumentCount, programArguments);
  if (spare.wasNeeded()) throw std::bad_alloc();
  return made;
}

/// Reporting the error may fail too, for lack of memory.
bool WindowApplication::notify(QObject* receiver, QEvent* event) {
  try {
    return QApplication::notify(receiver, event);
  } catch (const std::exception&) {
    const std::string sentence = error_of_exception().message;
    try {
      if (m_report) m_report(sentence);
    } catch (const std::exception&) {
      std::fprintf(stderr, "vqscope: %s\n", sentence.c_str());
    }
    return true;
  }
}

bool hasDisplay() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
    if (!qEnvironmentVariableIsEmpty(name)) return true;
  return false;
}

}  // namespace vqscope
