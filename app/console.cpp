// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console.h"

#include "core/base/text.h"
#include "core/io/file_handle.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>

namespace vqscope {
namespace {

/// To stderr. A tab stays: what stands in the line beneath lines up with it.
void printLine(std::string line) {
  std::ranges::replace_if(
      line, [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; }, ' ');
  std::fputs((line + '\n').c_str(), stderr);
}

}  // namespace

int print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written) return exitDone;
  return fail({Errc::io, std::string("cannot write to standard output: ") + io_reason(errno)});
}

int fail(const Error& error) {
  printLine("vqscope: " + error.message);
  for (const auto line : split(error.detail, '\n'))
    if (!error.detail.empty()) printLine(std::string(line));
  return error.code == Errc::cancelled ? exitInterrupted : exitRefused;
}

void warn(const std::string& sentence) { printLine("vqscope: warning: " + sentence); }
void note(const std::string& sentence) { printLine("vqscope: " + sentence); }

}  // namespace vqscope
