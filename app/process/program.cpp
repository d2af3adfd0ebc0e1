// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/program.h"

#include "core/io/bytes/user_folders.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace vqscope {

std::string runningProgram() {
  std::error_code failed;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? "vqscope" : path.string();
}

void takeHomeOfAccount() {
  if (const std::string home = home_folder(); !home.empty()) ::setenv("HOME", home.c_str(), 1);
}

}  // namespace vqscope
