// SPDX-License-Identifier: GPL-3.0-or-later
// The only source of the command line that knows which parts this build has.
#include "app/cli/added_commands.h"

#if VQSCOPE_LAB
#include "app/runs/commands.h"
#include "app/runs/keep_run.h"
#endif

namespace vqscope {

const AddedCommands& addedCommands() {
#if VQSCOPE_LAB
  static const AddedCommands all{.commands = {&runCommand(), &runsCommand(), &sweepCommand(), &mergeCommand()},
                                 .leftOut = {},
                                 .runMethod = runMethod,
                                 .keepRun = keepRun};
#else
  static const AddedCommands all{.commands = {}, .leftOut = {"run", "runs", "sweep", "merge"}};
#endif
  return all;
}

}  // namespace vqscope
