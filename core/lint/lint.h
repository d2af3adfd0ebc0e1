// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/finding.h"
#include "core/lint/lint_case.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// Whether one rule was checked or why it was skipped.
struct RuleOutcome {
  std::string rule;
  std::string skipped;  ///< why it was skipped; empty: it was checked
};

struct LintReport {
  std::vector<Finding> findings;   ///< errors and warnings, in the order of the rules
  std::vector<Finding> questions;  ///< what to set for a rule to be checked
  std::vector<RuleOutcome> outcomes;
  Index rows_checked = 0;   ///< rows [0, rows_checked) of the mask were checked
  bool complete = true;     ///< false: the check ended before the last row
  bool stopped = false;     ///< true: on request; false: the rest would take too long
  double steps_of_all = 0;  ///< about what all rows take, or at least if none was checked; 0: not known

  std::size_t count(Severity severity) const;
  /// "2 errors, 1 warning, 1 question; 9 rules checked, 7 skipped", with "rows 0 to 4095 checked;
  /// all rows take about 40 min" if the check did not reach the last row.
  std::string summary() const;
};

std::vector<LintRuleInfo> lint_rules();

struct LintOptions {
  std::vector<std::string> rules;  ///< ids; empty: all
  Index most_steps = most_steps_of_an_answer;
  std::stop_token stop;
  std::function<void(double fraction)> progress;  ///< called from the caller's thread; may be empty
};

/// Checks every rule. A mask with bands is never visited row by row: the time does not depend on T.
/// A mask without bands is visited row by row; if this is stopped, the findings up to there are
/// kept.
LintReport lint_mask(const LintCase& given, const LintOptions& options = {});

}  // namespace vqscope
