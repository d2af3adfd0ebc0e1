// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

namespace vqscope::test {

/// How a process ended and what it said.
struct Ended {
  int status = -1;  ///< of exit; 1000 and the signal's number where one killed it
  std::string out;
  std::string err;
};

/// Runs `act` in a process of its own, whose exit status is what it returns: what is said to the standard streams, or
/// ends the process, says and ends nothing of the test's.
Ended inAChild(const std::function<int()>& act);

}  // namespace vqscope::test
