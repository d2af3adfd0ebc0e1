// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

namespace vqscope::test {

/// Exit status and output of a process.
struct Ended {
  int status = -1;  ///< of exit; 1000 and the signal's number where one killed it
  std::string out;
  std::string err;
};

/// Runs `act` in a child process, whose exit status is its result. Output to the standard streams
/// and the end of the process do not affect the test.
Ended inAChild(const std::function<int()>& act);

}  // namespace vqscope::test
