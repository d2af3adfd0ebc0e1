// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"
#include "core/method/method.h"

#include <string>

namespace vqscope::settings {

/// Outcome of one setting.
struct Outcome {
  std::string failure;        ///< empty: a finite result, or one sentence
  std::string refusal;        ///< the sentence
  bool stopped = false;       ///< the stop was requested before the end
  double check_seconds = 0;   ///< the slowest of check and in_force, of this thread's processor time
  double remark_seconds = 0;  ///< the same of remark
};

/// All calls of the window and the exporter to a method, over small tile grids.
Outcome run_setting(const Method& method, const ParameterValues& values, const Work& work, SeededRandom& random);

}  // namespace vqscope::settings
