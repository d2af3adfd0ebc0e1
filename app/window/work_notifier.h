// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace vqscope {

/// Tells of the end of long work while nobody looks: on the desktop if another program is in
/// front, in the window if another page is.
class WorkNotifier {
 public:
  using Send = std::function<void(const QString& title, const QString& words)>;

  /// Desktop notifications by D-Bus where the build and the session have it, else the window asks
  /// for attention.
  static Send desktop(QWidget& window);

  WorkNotifier(QWidget& window, Send onDesktop, Send inWindow)
      : m_window(window), m_onDesktop(std::move(onDesktop)), m_inWindow(std::move(inWindow)) {}

  /// `isOnTop`: the page that did the work is in front. Work of less than ten seconds ends
  /// silently.
  void workEnded(const QString& title, const QString& words, double seconds, bool isOnTop) const;

 private:
  QWidget& m_window;
  Send m_onDesktop;
  Send m_inWindow;
};

}  // namespace vqscope
