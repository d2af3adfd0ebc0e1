// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/formats/check_formats.h"

#include "app/cli/output/formats/junit.h"
#include "core/lint/finding_text.h"

#include <algorithm>

namespace vqscope {
namespace {

JunitCase caseOf(const RuleOutcome& outcome, const CheckResult& result) {
  JunitCase test{.name = outcome.rule};
  const LintReport& report = result.report;
  for (const Finding& finding : report.findings) {
    if (finding.rule != outcome.rule) continue;
    const std::string sentence = sample_of(finding) + finding.sentence;
    const std::string word = severity_word(finding.severity);
    if (finding.severity == Severity::error || result.strict)
      test.failures.push_back({word, sentence});
    else
      test.output += word + ": " + sentence + "\n";
  }
  for (const Finding& finding : result.known)
    if (finding.rule == outcome.rule) test.output += "known: " + sample_of(finding) + finding.sentence + "\n";
  const auto question = std::ranges::find(report.questions, outcome.rule, &Finding::rule);
  if (test.failures.empty() && test.output.empty())
    test.skipped = question == report.questions.end() ? outcome.skipped : question->sentence;
  return test;
}

}  // namespace

std::string checkAsJunit(const CheckResult& result) {
  const std::string file = result.file.path.empty() ? "mask" : result.file.path;
  std::vector<JunitCase> cases;
  for (const RuleOutcome& outcome : result.report.outcomes) cases.push_back(caseOf(outcome, result));
  return junitText("vqscope check " + file, file, cases);
}

}  // namespace vqscope
