// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/last_words.h"

#include "app/process/console.h"

#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>

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

}  // namespace

void speakLastWords() { std::set_terminate(endWithSentence); }

int failOfException() {
  writeException();
  return exitRefused;
}

}  // namespace vqscope
