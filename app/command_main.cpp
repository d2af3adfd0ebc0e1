// SPDX-License-Identifier: GPL-3.0-or-later
// The program without a window.
#include "app/cli/command_line.h"
#include "app/process/console.h"
#include "app/process/program.h"
#include "core/base/text.h"
#include "core/io/bytes/path_text.h"

namespace {

int run(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return vqscope::runCommandLine({"--help"});
  if (vqscope::isCommand(arguments)) return vqscope::runCommandLine(arguments);
  if (const auto files = vqscope::checkFiles(arguments); !files) return vqscope::fail(files.error());
  const std::string all = vqscope::join(arguments, ", ");
  return vqscope::fail(vqscope::invalid("this vqscope has no window to show " + vqscope::shown_path(all) +
                                        " in (vqscope --help shows its commands)"));
}

}  // namespace

int main(int argc, char** argv) {
  return vqscope::runGuarded([&] { return run({argv + 1, argv + argc}); });
}
