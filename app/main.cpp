// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"
#include "app/process/application.h"
#include "app/process/console.h"
#include "app/process/last_words.h"
#include "app/window/headless.h"
#include "app/window/workbench_main.h"
#include "core/base/guard.h"
#include "widgets/parts/file_name.h"

namespace {

int run(int argc, char** argv) {
  QStringList arguments;
  for (int i = 1; i < argc; ++i) arguments.append(vqscope::textOfBytes(argv[i]));
  if (vqscope::isCommand(arguments)) return vqscope::runCommandLine(arguments);
  if (!vqscope::hasDisplay()) return vqscope::runHeadless(arguments);
  return vqscope::runWorkbench(argc, argv);
}

}  // namespace

/// An exception of a library becomes one sentence and exit status 2. Unfinished files have no name yet, so none remain.
int main(int argc, char** argv) {
  vqscope::speakLastWords();
  try {
    vqscope::takeHomeOfAccount();
    return run(argc, argv);
  } catch (...) {
    return vqscope::failOfException();
  }
}
