// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>

#include <functional>
#include <memory>
#include <string>

namespace vqscope {

/// Qt remarks on the machine and its libraries on files; on a command's stderr is one line that names an error.
void keepErrorsAlone();

/// What a command needs around it: for figures a QApplication that draws in memory, so that no display is asked for
/// and none can change the picture; for numbers the core alone.
std::unique_ptr<QCoreApplication> makeApplication(bool figures);

/// The window's application: an exception that reaches the event loop is told by `tell` and goes no farther, so the
/// session stays.
class WindowApplication : public QApplication {
 public:
  WindowApplication(int& argc, char** argv) : QApplication(argc, argv) {}
  void onError(std::function<void(const std::string& sentence)> tell) { m_tell = std::move(tell); }
  bool notify(QObject* receiver, QEvent* event) override;

 private:
  std::function<void(const std::string&)> m_tell;
};

/// Whether a window could be shown.
bool hasDisplay();

}  // namespace vqscope
