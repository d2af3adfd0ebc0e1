// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace vqscope {

/// Silences messages of Qt and its libraries: a command prints only its own lines on stderr.
void keepErrorsAlone();

/// The application object of a command that makes figures. It paints in memory, so that no display
/// is needed and none can change the picture.
std::unique_ptr<QApplication> makeFigureApplication();

/// The window's application. `report` receives an exception that reaches the event loop; the
/// program continues, and the session stays.
class WindowApplication : public QApplication {
 public:
  WindowApplication(int& argc, char** argv) : QApplication(argc, argv) {}
  void onError(std::function<void(const std::string& sentence)> report) { m_report = std::move(report); }
  bool notify(QObject* receiver, QEvent* event) override;

 private:
  std::function<void(const std::string&)> m_report;
};

/// Whether a window can be shown.
bool hasDisplay();

/// Without a display: writes a figure and the numbers of each page of the default session to the
/// folder vqscope-default-session of the current directory. Refuses `files`, which only a window
/// could open. Returns the exit status.
int runHeadless(const std::vector<std::string>& files);

/// Opens the workbench and runs until its window is closed; the arguments are files, opened together
/// as files that are dropped. A window that is open takes them instead, except with newWindowOption. Returns the exit
/// code; 2 for files that do not go together.
int runWorkbench(int argc, char** argv);

}  // namespace vqscope
