// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace vqscope {

/// Where no window can be shown: a figure and the numbers of each page of the default session in the folder
/// vqscope-default-session of the current directory. `files` were meant for a window: refused. The exit status.
int runHeadless(const QStringList& files);

}  // namespace vqscope
