// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the commands that check masks: `check` and `watch`.
#pragma once

#include "app/cli/arguments/lint_request.h"
#include "app/cli/arguments/samples.h"
#include "core/lint/fix/text_fix.h"
#include "core/lint/lint.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

struct LintedMask {
  Samples samples;
  LintCase first;  ///< of the first sample that is no padding alone
  LintReport report;
  std::optional<TextFix> fix = {};  ///< of the first sample's text

  /// Exit status: findings, or nothing wrong, or not checked completely.
  int status(bool strict) const;
};

/// Checks all samples and heads; equal ones are checked once. Empty `rules`: all of them. Of a text
/// with findings, a fix is searched for.
Result<LintedMask> lintSamples(const MethodArguments& arguments, const std::vector<std::string>& rules,
                               const std::stop_token& stop, const std::function<void(double)>& progress);

}  // namespace vqscope
