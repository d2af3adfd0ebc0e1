// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace vqscope {

int print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written) return exitDone;
  return fail({Errc::io, std::string("cannot write to standard output: ") + std::strerror(errno)});
}

int fail(const Error& error) {
  std::string line = "vqscope: " + error.message;
  std::ranges::replace_if(
      line, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  std::fputs((line + '\n').c_str(), stderr);
  return error.code == Errc::cancelled ? exitInterrupted : exitRefused;
}

}  // namespace vqscope
