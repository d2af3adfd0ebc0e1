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
  int size = 0;  ///< pixels: the width of a dock at a side, the height of one below; 0: as it is made
  friend bool operator==(const DockLayout&, const DockLayout&) = default;
};

/// The window as it was left, in plain numbers of our own: what QMainWindow makes of its saved bytes can ask for any
/// amount of memory.
struct WindowLayout {
  QRect place;  ///< empty: as the window is made
  bool maximized = false;
  std::map<QString, DockLayout> docks;
  QString raised;  ///< of the docks that lie over each other the one on top
  QString theme;   ///< "light", "dark", or empty: as the desktop
  friend bool operator==(const WindowLayout&, const WindowLayout&) = default;
};

/// The file appears whole or not at all, with the folders above it.
Result<void> writeLayout(const WindowLayout& layout, const QString& path);

/// What a layout's file holds. Of one of an older version the theme alone is taken, and `remark` is a
/// sentence about the rest; numbers that no window has are an error.
Result<WindowLayout> layoutFromJson(std::string_view json, QString& remark);

/// Errc::not_found where there is no file; the other errors name it.
Result<WindowLayout> readLayout(const QString& path, QString& remark);

}  // namespace vqscope
