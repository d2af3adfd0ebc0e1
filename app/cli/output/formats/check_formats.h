// SPDX-License-Identifier: GPL-3.0-or-later
// The findings of a check as other programs read them.
#pragma once

#include "app/cli/output/formats/finding_place.h"

#include <span>
#include <string>
#include <string_view>

namespace vqscope {

enum class CheckFormat { text, json, sarif, junit, github };

/// "text", "json", "sarif", "junit", "github", in the order of CheckFormat.
std::span<const std::string> checkFormatNames();

struct CheckResult {
  const LintReport& report;             ///< without the known findings
  const CheckOutput* output = nullptr;  ///< of a mask; null: the report is that of other tests
  CheckedFile file = {};
  std::vector<Finding> known = {};  ///< of the baseline
  std::string baseline = {};        ///< its path; empty: none
  bool strict = false;              ///< warnings fail
};

/// What `check --format` prints.
std::string checkAs(CheckFormat format, const CheckResult& result);

/// SARIF 2.1.0 (OASIS). Known findings are results whose baselineState is unchanged; questions are open results.
std::string checkAsSarif(const CheckResult& result);

/// JUnit's XML: a test case for each rule. Warnings fail if `strict`; rules without an answer are skipped.
std::string checkAsJunit(const CheckResult& result);

/// Workflow commands of GitHub: ::error file=…,line=…::…, then the summary.
std::string checkAsGithub(const CheckResult& result);

}  // namespace vqscope
