// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QRect>
#include <QString>

#include <map>
#include <string_view>

namespace vqscope {

struct DockLayout {
  bool visible = true;
  int size = 0;  ///< in pixels: the width of a dock at a side, the height of a dock below; 0: the default
  friend bool operator==(const DockLayout&, const DockLayout&) = default;
};

/// The layout of the window as plain numbers. QMainWindow::restoreState is not used, because
/// damaged bytes can make it allocate any amount of memory.
struct WindowLayout {
  QRect place;  ///< empty: the default
  bool maximized = false;
  std::map<QString, DockLayout> docks;
  QString raised;                     ///< the dock on top of the tabbed docks
  QString theme;                      ///< "light" or "dark"; empty: that of the desktop
  std::map<QString, int> lists = {};  ///< by room: the thousandths of the left column that its list has
  bool names = false;                 ///< of parameters, beside their labels
  friend bool operator==(const WindowLayout&, const WindowLayout&) = default;
};

/// The place of a window on a screen of which `available` is free: not larger, all of it visible,
/// and with space above for a title bar, which `place` does not include. A run without a desktop
/// may have kept a place at the very top.
QRect placeOnScreen(const QRect& place, QRect available);

/// Writes the file atomically, and makes its folders.
Result<void> writeLayout(const WindowLayout& layout, const QString& path);

/// Reads a layout. From a file of an older version only the theme is used, as stated in `remark`.
/// Numbers that no window can have are an error.
Result<WindowLayout> layoutFromJson(std::string_view json, QString& remark);

/// Errc::not_found if there is no file; other errors name the file.
Result<WindowLayout> readLayout(const QString& path, QString& remark);

/// Files of the last session, of the window's layout, and of the lists of recent files and of commands
/// that were searched for.
QString savedSessionPath();
QString savedLayoutPath();
QString savedRecentPath();
QString savedCommandsPath();

/// Copies a file for its owner alone; false if that fails or the copy exists.
bool copyState(const QString& from, const QString& to);

/// Copies an unreadable file aside, so that the next save does not destroy it. Returns the path of
/// the copy, or the original path if copying fails.
QString keepDamaged(const QString& path);

}  // namespace vqscope
