// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"
#include "app/cli/figures.h"
#include "app/process/program.h"
#include "app/window/start/application.h"
#include "widgets/export/figure.h"

namespace {

int runCommand(const std::vector<std::string>& arguments) {
  std::unique_ptr<QApplication> application;
  vqscope::FigureMaker figures = vqscope::qtFigureMaker();
  figures.begin = [&application] {
    vqscope::keepErrorsAlone();
    if (!application) application = vqscope::makeFigureApplication();
  };
  vqscope::useFigures(std::move(figures));
  return vqscope::runCommandLine(arguments);
}

int run(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (vqscope::isCommand(arguments)) return runCommand(arguments);
  if (!vqscope::hasDisplay()) return vqscope::runHeadless(arguments);
  return vqscope::runWorkbench(argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
  return vqscope::runGuarded([&] { return run(argc, argv); });
}
