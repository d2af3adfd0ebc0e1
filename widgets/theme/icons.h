// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

namespace vqscope {

/// resources/icons/<name>.svg in the colours of the current palette: text, grey while disabled,
/// accent while checked. One QIcon fits every theme and scale, so it is made once. Names: undo redo
/// export link unlink fit compare profile theme close help copy search play pause reset table.
QIcon icon(const char* name);

/// The coloured mark of the program, for windows and the desktop.
QIcon applicationIcon();

/// Registers the resources of the static library; call it before reading ":/..." directly.
void ensureResources();

}  // namespace vqscope
