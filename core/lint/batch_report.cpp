// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/batch_report.h"

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
      all[at->second].masks.push_back(static_cast<Index>(i));
    }
  return all;
}

Finding placed(const Finding& finding, std::optional<Index> batch, std::optional<Index> head) {
  Finding copy = finding;
  copy.batch = batch;
  copy.head = head;
  return copy;
}

/// Appends the finding once for each place where it stands.
void place(const Spread& spread, Index samples, Index heads, std::vector<Finding>& into) {
  const auto count = static_cast<Index>(spread.masks.size());
  if (count == samples * heads) return into.push_back(spread.finding);
  const Index head = spread.masks.front() % heads;
  const auto is_head = [&](Index mask) { return mask % heads == head; };
  if (heads > 1 && count == samples && std::ranges::all_of(spread.masks, is_head))
    return into.push_back(placed(spread.finding, {}, head));
  for (auto at = spread.masks.begin(); at != spread.masks.end();) {
    const Index sample = *at / heads;
    const auto end = std::find_if(at, spread.masks.end(), [&](Index mask) { return mask / heads != sample; });
    if (end - at == heads)
      into.push_back(placed(spread.finding, sample, {}));
    else
      for (auto each = at; each != end; ++each) into.push_back(placed(spread.finding, sample, *each % heads));
    at = end;
  }
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

}  // namespace vqscope
