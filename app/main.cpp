// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/application.h"
#include "app/command_line.h"
#include "app/headless.h"
#include "app/workbench_main.h"

int main(int argc, char** argv) {
  QStringList arguments;
  for (int i = 1; i < argc; ++i) arguments.append(QString::fromLocal8Bit(argv[i]));
  if (vqscope::isCommand(arguments)) return vqscope::runCommandLine(arguments);
  if (!vqscope::hasDisplay()) return vqscope::runHeadless(arguments);
  return vqscope::runWorkbench(argc, argv);
}
