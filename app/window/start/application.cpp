// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/start/application.h"

#include "app/cli/arguments/export_request.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "app/process/open_request.h"
#include "app/process/program.h"
#include "app/window/main_window.h"
#include "app/window/start/window_socket.h"
#include "core/base/guard.h"
#include "core/base/text.h"
#include "core/catalogue/registry.h"
#include "core/io/bytes/path_text.h"
#include "core/output/exporter.h"
#include "widgets/export/figure.h"
#include "widgets/parts/spare_memory.h"
#include "widgets/parts/text.h"
#include "widgets/session/field_scheduler.h"
#include "widgets/theme/desktop_theme.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/palette.h"

#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <new>
#include <optional>

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

/// Milliseconds that stopped work has to end when the program closes.
constexpr int exitTimeout = 2000;

/// A dialog or a menu waits for an answer: files would be opened behind it.
bool isInDialog() {
  return QApplication::activeModalWidget() || QApplication::activePopupWidget() || QGuiApplication::modalWindow();
}

/// The window takes the place of one that listened before and has been closed once it is used again.
void listenForFiles(QApplication& app, WindowSocket& socket, MainWindow& window) {
  socket.claim();
  QObject::connect(&socket, &WindowSocket::filesReceived, &window, &MainWindow::takeFiles);
  QObject::connect(&app, &QGuiApplication::applicationStateChanged, &socket, [&socket](Qt::ApplicationState state) {
    if (state == Qt::ApplicationActive) socket.claim();
  });
}

/// Status of the program when its window is closed.
int showWindow(WindowApplication& app, const DesktopTheme* desktop, const std::optional<OpenedFiles>& files,
               const std::stop_token& interrupted) {
  MainWindow window;
  if (desktop) QObject::connect(desktop, &DesktopTheme::changed, &window, &MainWindow::followDesktop);
  app.onError([&window](const std::string& sentence) { window.showMessage(text(sentence), true); });
  window.restoreSaved();
  window.show();
  WindowSocket socket(windowSocketPath(), isInDialog);
  listenForFiles(app, socket, window);
  // In the event loop, because a dialog may come with the files.
  if (files)
    QMetaObject::invokeMethod(
        &window, [&] { window.open(*files); }, Qt::QueuedConnection);
  // On SIGTERM, the window closes as usual: the session is kept.
  const std::stop_callback onInterrupt(
      interrupted, [&window] { QMetaObject::invokeMethod(&window, &QWidget::close, Qt::QueuedConnection); });
  const int status = QApplication::exec();
  app.onError({});
  return status;
}

using ToOpen = Result<std::optional<OpenedFiles>>;

/// Of the arguments; nothing without one.
ToOpen filesToOpen(const std::vector<std::string>& arguments) {
  if (auto checked = checkFiles(arguments); !checked) return checked.error();
  if (arguments.empty()) return ToOpen(std::nullopt);
  QStringList paths;
  for (const auto& argument : arguments) paths << textOfBytes(argument);
  auto files = recogniseFiles(paths);
  return files ? ToOpen(std::move(*files)) : files.error();
}

/// A pipe, as of <(command), is this process's alone.
bool isForOtherProcess(const std::string& argument) {
  std::error_code failed;
  const auto status = std::filesystem::status(argument, failed);
  const bool isStored = std::filesystem::is_regular_file(status) || std::filesystem::is_directory(status);
  return isStored && !argument.starts_with("/dev/") && !argument.starts_with("/proc/");
}

/// Whether the window that is open could take the arguments. Options are for a window of its own.
bool areForOpenWindow(const std::vector<std::string>& arguments) {
  const auto isPlain = [](const std::string& argument) {
    return !argument.starts_with('-') && isForOtherProcess(argument);
  };
  return !arguments.empty() && std::ranges::all_of(arguments, isPlain);
}

/// Whether the window that is open has taken the files, so that this start is over.
bool isTakenByOpenWindow(const std::vector<std::string>& arguments) {
  OpenRequest request;
  for (const char* name : {"XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"})
    if (request.token.empty()) request.token = qgetenv(name).toStdString();
  for (const auto& path : arguments) {
    std::error_code failed;
    request.paths.push_back(std::filesystem::absolute(path, failed).string());
  }
  return handOver(windowSocketPath(), request);
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

int runHeadless(const std::vector<std::string>& files) {
  keepErrorsAlone();
  if (const auto checked = checkFiles(files); !checked) return fail(checked.error());
  if (!files.empty())
    return fail(invalid("no display to show " + shown_path(join(files, ", ")) +
                        " on; vqscope export METHOD --session FILE --out FILE needs none"));
  if (const auto written = writeDefaultSession(); !written) return fail(written.error());
  return print(std::string("No display: the default session was written to ") + folderName + "\n");
}

int runWorkbench(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  std::optional<ToOpen> files;  // plain arguments are those that Qt leaves: their files are recognised once
  if (areForOpenWindow(arguments)) files = filesToOpen(arguments);
  if (files && *files && isTakenByOpenWindow(arguments)) return exitDone;
  const Interrupts interrupts(std::nullopt);  // before Qt starts threads; no limit on the time to close
  auto spare = std::make_unique<SpareMemory>();
  WindowApplication app(argc, argv);
  if (spare->wasNeeded()) throw std::bad_alloc();
  spare.reset();
  if (!files) {
    arguments.assign(argv + 1, argv + argc);  // Qt has removed its own options
    std::erase(arguments, newWindowOption);
    files = filesToOpen(arguments);
  }
  if (!*files) return fail(files->error());
  QApplication::setWindowIcon(applicationIcon());
  const auto desktop = DesktopTheme::ofSession();
  if (desktop) desktop->wait();  // a window that turns dark as it appears would flash
  applyTheme(app, systemTheme());
  const int status = showWindow(app, desktop.get(), **files, interrupts.token());
  // Work that has not stopped must not run while static objects are destroyed: a figure is painted
  // with Qt.
  if (!FieldScheduler::waitForAll(exitTimeout)) std::_Exit(status);
  return status;
}

}  // namespace vqscope
