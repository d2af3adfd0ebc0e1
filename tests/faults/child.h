// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vqscope::faults {

using Words = std::vector<std::string>;

/// Exit status and output of a program.
struct Outcome {
  int status = -1;  ///< exit status; -1: a signal
  int signal = 0;
  std::string out;
  std::string err;
  double seconds = 0;
};

/// Runs `command` in `folder` with the variables `settings` ("NAME=value") added to the
/// environment. `kill_after`: seconds after which it is killed.
Outcome run(const Words& command, const std::string& folder, const Words& settings,
            std::optional<double> kill_after = {});

}  // namespace vqscope::faults
