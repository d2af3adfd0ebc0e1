// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/linted_mask.h"

#include "app/process/console.h"
#include "core/lint/batch/batch_report.h"

#include <algorithm>
#include <optional>

namespace vqscope {
int LintedMask::status(bool strict) const {
  if (report.stopped) return exitInterrupted;
  const bool bad = report.count(Severity::error) > 0 || (strict && !report.findings.empty());
  // A mask that was not checked completely is not clean.
  return bad ? exitFindings : report.complete ? exitDone : exitRefused;
}

namespace {

/// What stands in all masks that were checked names the one that --batch and --head chose.
void placeInFile(const Samples& samples, std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    if (samples.samples > samples.samplesChecked) finding.batch = samples.firstSample;
    if (samples.heads > samples.headsChecked) finding.head = samples.firstHead;
  }
}

}  // namespace

Result<LintedMask> lintSamples(const MethodArguments& arguments, const std::vector<std::string>& rules,
                               const std::stop_token& stop, const std::function<void(double)>& progress) {
  auto samples = samplesOf(arguments);
  if (!samples) return samples.error();
  std::optional<LintCase> first;
  std::optional<TextFix> fix;
  std::vector<LintReport> reports;
  const std::size_t count = samples->cases.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (samples->cases[i].isPadding) {
      reports.push_back(padding_report());
      continue;
    }
    const auto mask = statedRequest(samples->cases[i].arguments);
    const auto given = mask ? lintRequest(*mask) : Result<LintCase>(mask.error());
    if (!given) {
      const auto place = static_cast<std::size_t>(std::ranges::find(samples->caseOf, i) - samples->caseOf.begin());
      return samples->areSeveral() ? within(samples->placeOf(place), given.error()) : given.error();
    }
    const auto show = [&](double fraction) {
      progress((static_cast<double>(i) + fraction) / static_cast<double>(count));
    };
    const LintOptions options{.rules = rules, .stop = stop, .progress = show};
    reports.push_back(lint_mask(*given, options));
    if (first) continue;
    first = *given;
    fix = fix_of_text(mask->request.values, mask->stated, reports.back(), options);
  }
  if (!first) return invalid("every sample is padding alone");
  std::vector<LintReport> all;
  for (const std::size_t each : samples->caseOf) all.push_back(reports[each]);
  LintReport joined = joined_reports(all, samples->headsChecked);
  placeInFile(*samples, joined.findings);
  placeInFile(*samples, joined.questions);
  return LintedMask{std::move(*samples), std::move(*first), std::move(joined), std::move(fix)};
}

}  // namespace vqscope
