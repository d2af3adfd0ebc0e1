// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/program.h"

#include "app/process/console.h"
#include "core/base/text.h"
#include "core/io/bytes/user_folders.h"

#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>

namespace vqscope {
namespace {

/// Writes without buffers, which would need memory.
void writeLine(const char* what) {
  char line[400];
  const int size = std::snprintf(line, sizeof line, "vqscope: %.300s\n", what);
  if (size > 0 && ::write(STDERR_FILENO, line, static_cast<std::size_t>(size)) < 0) return;
}

void writeException() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    writeLine("there is not enough memory for this");
  } catch (const std::length_error&) {
    writeLine("this needs more memory than a machine can address");
  } catch (const std::exception& error) {
    writeLine(error.what());
  } catch (...) {
    writeLine("unknown error in a library");
  }
}

[[noreturn]] void endWithSentence() {
  if (std::current_exception())
    writeException();
  else
    writeLine("internal error: the program cannot continue");
  std::_Exit(exitRefused);
}

/// Sets HOME, from which folders of configuration and state are taken, if it is missing or not an
/// absolute path.
void takeHomeOfAccount() {
  if (const std::string home = home_folder(); !home.empty()) ::setenv("HOME", home.c_str(), 1);
}

}  // namespace

void speakLastWords() { std::set_terminate(endWithSentence); }

int failOfException() {
  writeException();
  return exitRefused;
}

std::string runningProgram() {
  std::error_code failed;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? "vqscope" : path.string();
}

int runGuarded(const std::function<int()>& run) {
  speakLastWords();
  try {
    takeHomeOfAccount();
    return run();
  } catch (...) {
    return failOfException();
  }
}

Result<void> checkFiles(std::span<const std::string> arguments) {
  for (const auto& argument : arguments) {
    std::error_code failed;
    if (argument.starts_with('-') && !std::filesystem::exists(argument, failed))
      return invalid("unknown option " + shortened(argument) + " (vqscope --help shows all)");
  }
  return {};
}

}  // namespace vqscope
