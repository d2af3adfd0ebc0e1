// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/samples.h"
#include "core/io/json/json_value.h"
#include "core/lint/fix/text_fix.h"
#include "core/lint/lint.h"

#include <optional>
#include <string>

namespace vqscope {

/// Output of `vqscope check`.
struct CheckOutput {
  const LintCase& given;  ///< of the first sample
  const LintReport& report;
  const Samples& samples;
  const std::optional<TextFix>& fix;
};

/// The lines of the findings and questions of any check, and its summary, without an end of line.
std::string reportAsText(const LintReport& report, const std::optional<TextFix>& fix = {});
JsonObject reportAsJson(const LintReport& report, const std::optional<TextFix>& fix = {});

/// Plain text: a line for each finding and question, below it how to mend the text or what to set,
/// then a summary.
std::string checkAsText(const CheckOutput& output);

/// For programs: counts of samples and heads as stored and as checked; `batch` and `head` of a
/// finding are null if it is in all of them. `fix` of a finding is null without one; `settings` of a
/// question are the likeliest way to answer it, with null for values that only the user knows.
JsonObject checkAsJson(const CheckOutput& output);

}  // namespace vqscope
