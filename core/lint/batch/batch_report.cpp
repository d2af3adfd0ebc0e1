// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/batch/batch_report.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace vqscope {
namespace {

/// A finding and the masks that have it: indices into the batch, in order.
struct Spread {
  Finding finding;
  std::vector<Index> masks;
};

std::vector<Spread> spread_of(std::span<const LintReport> reports, std::vector<Finding> LintReport::*findings) {
  std::vector<Spread> all;
  // The sentence holds the counterexample and the numbers.
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> places;
  for (std::size_t i = 0; i < reports.size(); ++i)
    for (const Finding& finding : reports[i].*findings) {
      const auto [at, is_new] = places.try_emplace({finding.rule, finding.sentence}, all.size());
      if (is_new) all.push_back({finding, {}});
      // A sentence names long lists by their first numbers only.
      else if (all[at->second].finding.suggestions != finding.suggestions)
        all[at->second].finding.suggestions.clear();
      all[at->second].masks.push_back(static_cast<Index>(i));
    }
  return all;
}

Finding placed(const Finding& finding, std::optional<Index> batch, std::optional<Index> head) {
  Finding copy = finding;
  copy.batch = batch;
  copy.head = head;
  std::erase_if(copy.suggestions, [](const Suggestion& each) { return each.is_of_sequence(); });
  return copy;
}

/// Appends the finding once for each place where it stands: heads that have it in all samples, samples
/// that have it in all heads, and what neither of these holds.
void place(const Spread& spread, Index samples, Index heads, std::vector<Finding>& into) {
  const auto count = static_cast<Index>(spread.masks.size());
  if (count == samples * heads) return into.push_back(spread.finding);
  std::vector<Index> of_head(static_cast<std::size_t>(heads)), of_sample(static_cast<std::size_t>(samples));
  for (const Index mask : spread.masks) {
    ++of_head[static_cast<std::size_t>(mask % heads)];
    ++of_sample[static_cast<std::size_t>(mask / heads)];
  }
  const auto is_whole_head = [&](Index head) {
    return heads > 1 && of_head[static_cast<std::size_t>(head)] == samples;
  };
  const auto is_whole_sample = [&](Index sample) { return of_sample[static_cast<std::size_t>(sample)] == heads; };
  for (Index head = 0; head < heads; ++head)
    if (is_whole_head(head)) into.push_back(placed(spread.finding, {}, head));
  for (Index sample = 0; sample < samples; ++sample)
    if (is_whole_sample(sample)) into.push_back(placed(spread.finding, sample, {}));
  for (const Index mask : spread.masks)
    if (!is_whole_head(mask % heads) && !is_whole_sample(mask / heads))
      into.push_back(placed(spread.finding, mask / heads, mask % heads));
}

std::vector<Finding> joined(std::span<const LintReport> reports, Index heads,
                            std::vector<Finding> LintReport::*findings) {
  const Index samples = static_cast<Index>(reports.size()) / heads;
  std::vector<Finding> all;
  for (const Spread& spread : spread_of(reports, findings)) place(spread, samples, heads, all);
  std::ranges::stable_sort(all, {}, [](const Finding& finding) { return std::pair(finding.batch, finding.head); });
  return all;
}

}  // namespace

LintReport joined_reports(std::span<const LintReport> reports, Index heads) {
  assert(heads > 0 && !reports.empty() && reports.size() % static_cast<std::size_t>(heads) == 0);
  LintReport all = reports.front();
  for (const LintReport& report : reports.subspan(1)) {
    assert(report.outcomes.size() == all.outcomes.size());
    for (std::size_t i = 0; i < all.outcomes.size(); ++i)
      if (report.outcomes[i].skipped.empty()) all.outcomes[i].skipped.clear();
    all.rows_checked = std::min(all.rows_checked, report.rows_checked);
    all.complete = all.complete && report.complete;
    all.stopped = all.stopped || report.stopped;
    all.steps_of_all += report.steps_of_all;
  }
  all.findings = joined(reports, heads, &LintReport::findings);
  all.questions = joined(reports, heads, &LintReport::questions);
  return all;
}

LintReport padding_report() {
  LintReport report;
  for (const auto& rule : lint_rules()) report.outcomes.push_back({rule.id, "the sample is padding alone"});
  report.findings.push_back({.rule = "empty_row",
                             .severity = Severity::error,
                             .sentence = "the sample has no real token: every row sees no key",
                             .count = 1,
                             .unit = "samples"});
  return report;
}

}  // namespace vqscope
