// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>

#include <functional>
#include <memory>
#include <string>

namespace vqscope {

/// Silences messages of Qt and its libraries: a command prints only its own lines on stderr.
void keepErrorsAlone();

/// The application object of a command. Figures need a QApplication that paints in memory, so that no display is needed
/// and none can change the picture; numbers need a core application only.
std::unique_ptr<QCoreApplication> makeApplication(bool figures);

/// The window's application. `tell` reports an exception that reaches the event loop; the program continues, and the
/// session stays.
class WindowApplication : public QApplication {
 public:
  WindowApplication(int& argc, char** argv) : QApplication(argc, argv) {}
  void onError(std::function<void(const std::string& sentence)> tell) { m_tell = std::move(tell); }
  bool notify(QObject* receiver, QEvent* event) override;

 private:
  std::function<void(const std::string&)> m_tell;
};

/// Absolute path of the running program; its name if the system does not know the path.
std::string runningProgram();

/// Sets HOME, from which Qt takes the folders of configuration and state, if it is missing or not an absolute path.
void takeHomeOfAccount();

/// Whether a window can be shown.
bool hasDisplay();

}  // namespace vqscope
