// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vqscope {

/// Opens the workbench and runs until its window is closed; the arguments are session files, opened in place of the
/// last session. Returns the exit code.
int runWorkbench(int argc, char** argv);

}  // namespace vqscope
