// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <optional>
#include <string>

namespace vqscope::settings {

/// Outcome of one call of the program.
struct ProgramOutcome {
  std::string failure;                 ///< empty: a file, or one sentence and no file
  bool refused = false;                ///< exit 2
  double seconds = 0;                  ///< from start to end
  std::optional<double> stop_seconds;  ///< seconds from the interrupt to the end, where it did not end before
};

/// Runs `program export METHOD --set ... --out` into a folder of its own with a file of that
/// suffix, and interrupts it (SIGINT) after some seconds.
ProgramOutcome run_program(const std::string& program, const Method& method, const ParameterValues& values,
                           const std::string& suffix, double interrupt_after);

}  // namespace vqscope::settings
