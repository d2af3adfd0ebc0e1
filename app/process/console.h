// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace vqscope {

constexpr int exitDone = 0;
constexpr int exitFindings = 1;
constexpr int exitRefused = 2;
constexpr int exitInterrupted = 130;  ///< 128 + SIGINT, as in shells

/// Writes the whole text to standard output. Returns the exit status.
int print(std::string_view text);

/// Prints one line on stderr, whatever the message contains, and below it the detail of the error.
/// Returns the exit status.
int fail(const Error& error);

/// Leaves out notes, warnings and progress from here on; what is refused is still said.
void keepQuiet();
bool isQuiet();

/// Prints one line on stderr that does not end the command: "vqscope: warning: …", "vqscope: …".
void warn(const std::string& sentence);
void note(const std::string& sentence);

/// The same about the input of a command, which may still be refused for something else: printed
/// before its other lines or by showHeld(), and not at all if fail() refuses it.
void warnOfInput(const std::string& sentence);
void noteOfInput(const std::string& sentence);
void showHeld();

/// While an object of this class exists, what commands print is kept in it instead: for a program that answers with
/// it. One at a time.
class CapturedOutput {
 public:
  CapturedOutput();
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;
  ~CapturedOutput();

  std::string out;
  std::string err;
};

}  // namespace vqscope
