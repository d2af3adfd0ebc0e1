// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace vqscope {

/// Without a display: writes a figure and the numbers of each page of the default session to the folder
/// vqscope-default-session of the current directory. Refuses `files`, which only a window could open. Returns the exit
/// status.
int runHeadless(const std::vector<std::string>& files);

}  // namespace vqscope
