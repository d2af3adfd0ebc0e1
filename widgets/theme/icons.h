// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

namespace vqscope {

/// resources/icons/<name>.svg in the colours of the current palette: text, grey while disabled, accent while checked.
/// The same QIcon is right in every theme and at every scale, so it is made once.
/// Names: undo redo export link unlink fit compare profile theme close help copy search play pause reset
/// table.
QIcon icon(const char* name);

/// The coloured mark of the program, for windows and the desktop.
QIcon applicationIcon();

/// Resources of a static library are registered by hand; whoever reads ":/..." directly calls this first.
void ensureResources();

}  // namespace vqscope
