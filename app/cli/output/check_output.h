// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/samples.h"
#include "core/io/json/json_value.h"
#include "core/lint/lint.h"

#include <string>

namespace vqscope {

/// Output of `vqscope check`.
struct CheckOutput {
  const LintCase& given;  ///< of the first sample
  const LintReport& report;
  const Samples& samples;
};

/// Plain text: a line for each finding and question, then a summary.
std::string checkAsText(const CheckOutput& output);

/// For programs: counts of samples and heads as stored and as checked; `batch` and `head` of a
/// finding are null if it is in all of them.
JsonObject checkAsJson(const CheckOutput& output);

}  // namespace vqscope
