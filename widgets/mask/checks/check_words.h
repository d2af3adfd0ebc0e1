// SPDX-License-Identifier: GPL-3.0-or-later
// The words of the checks, without widgets.
#pragma once

#include "core/lint/lint.h"
#include "widgets/mask/source/batch_overview.h"

#include <QString>

#include <string>
#include <vector>

namespace vqscope {

/// "Window off"; a sample that cannot be checked has no rule.
QString titleOfRule(const std::string& rule);

/// What a check has found, of the mask that is shown and of the other samples of its file.
struct CheckState {
  const LintReport& report;
  const LintCase& given;
  const BatchOverview& batch;
  std::vector<Finding> elsewhere;      ///< errors and warnings
  std::size_t questionsElsewhere = 0;  ///< what other samples lack
};

/// The first line of the checks. Its sign and its class in the style sheet are those of the worst card.
struct Headline {
  QString words;
  const char* look;
};
Headline headlineOf(const CheckState& state);

/// A line for each rule that is kept, and for each that was skipped.
struct RuleLines {
  QStringList kept;
  QStringList skipped;
};
RuleLines linesOfRules(const LintReport& report);

}  // namespace vqscope
