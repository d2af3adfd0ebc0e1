// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/formats/test_report.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace vqscope {
namespace {

constexpr std::string_view passed = "_passed";

std::optional<double> factOf(const CurveSet& curves, const std::string& name) {
  const auto fact = std::ranges::find(curves.facts, name, &std::pair<std::string, double>::first);
  return fact == curves.facts.end() ? std::nullopt : std::optional(fact->second);
}

Finding failureOf(const std::string& test, const CurveSet& curves) {
  Finding finding{.rule = test, .sentence = "logits differ"};
  if (const auto first = factOf(curves, test + "_first"); first && *first >= 0) {
    finding.row = static_cast<Index>(*first);
    finding.sentence += fmt::format(" from token {} on", *finding.row);
  }
  if (const auto largest = factOf(curves, test + "_largest"))
    finding.sentence += fmt::format(", by at most {}", to_text(*largest, 3));
  return finding;
}

}  // namespace

LintReport reportOfTests(const CurveSet& curves) {
  LintReport report;
  for (const auto& [name, value] : curves.facts) {
    if (!name.ends_with(passed)) continue;
    const std::string test = name.substr(0, name.size() - passed.size());
    report.outcomes.push_back({test, {}});
    if (value == 0) report.findings.push_back(failureOf(test, curves));
  }
  return report;
}

std::string failuresIn(const CurveSet& curves) {
  std::vector<std::string> failures;
  for (const Finding& failure : reportOfTests(curves).findings)
    failures.push_back(failure.rule + (failure.row ? fmt::format(" from {}", *failure.row) : ""));
  return join(failures, ", ");
}

}  // namespace vqscope
