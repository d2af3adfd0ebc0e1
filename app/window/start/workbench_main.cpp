// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/start/workbench_main.h"

#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "app/process/program.h"
#include "app/window/main_window.h"
#include "app/window/start/application.h"
#include "widgets/parts/file_name.h"
#include "widgets/parts/spare_memory.h"
#include "widgets/parts/text.h"
#include "widgets/session/field_scheduler.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/palette.h"

#include <cstdlib>
#include <memory>
#include <new>

namespace vqscope {

namespace {

/// Milliseconds that stopped work has to end when the program closes.
constexpr int exitTimeout = 2000;

/// Status of the program when its window is closed.
int showWindow(WindowApplication& app, const QString& file, const std::stop_token& interrupted) {
  MainWindow window;
  app.onError([&window](const std::string& sentence) { window.showMessage(text(sentence), true); });
  window.restoreSaved();
  if (!file.isEmpty()) window.openFile(file);
  window.show();
  // On SIGTERM, the window closes as usual: the session is kept.
  const std::stop_callback onInterrupt(
      interrupted, [&window] { QMetaObject::invokeMethod(&window, &QWidget::close, Qt::QueuedConnection); });
  const int status = QApplication::exec();
  app.onError({});
  return status;
}

}  // namespace

int runWorkbench(int argc, char** argv) {
  const Interrupts interrupts(std::nullopt);  // before Qt starts threads; no limit on the time to close
  auto spare = std::make_unique<SpareMemory>();
  WindowApplication app(argc, argv);
  if (spare->wasNeeded()) throw std::bad_alloc();
  spare.reset();
  const std::vector<std::string> arguments(argv + 1, argv + argc);  // Qt has removed its own options
  const auto file = fileToOpen(arguments);
  if (!file) return fail(file.error());
  QApplication::setWindowIcon(applicationIcon());
  applyTheme(app, systemTheme());
  const int status = showWindow(app, textOfBytes(*file), interrupts.token());
  // Work that has not stopped must not run while static objects are destroyed: a figure is painted with Qt.
  if (!FieldScheduler::waitForAll(exitTimeout)) std::_Exit(status);
  return status;
}

}  // namespace vqscope
