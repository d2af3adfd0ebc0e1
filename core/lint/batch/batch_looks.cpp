// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/batch/batch_looks.h"

#include "core/lint/batch/batch_report.h"
#include "core/mask/mask_difference.h"

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

/// A sample and head that differs from those before it.
struct Checked {
  Index sample = 0;
  Index head = 0;
  std::shared_ptr<const Mask> mask = {};  ///< null: it has none
  LintReport report = {};
  std::uint64_t differs = 0;  ///< cells of the mask that are not as in the first
};

/// Values that do not fit the sample are its only finding.
LintReport unchecked_report(const std::string& why) {
  LintReport report = padding_report();
  for (RuleOutcome& outcome : report.outcomes) outcome.skipped = "the sample was not checked";
  report.findings = {{.rule = unchecked_rule, .severity = Severity::warning, .sentence = why}};
  return report;
}

Checked check_sample(const SampleBatch& batch, Index sample, Index head, const SampleValues& values,
                     const std::stop_token& stop) {
  Checked checked{.sample = sample, .head = head};
  if (batch.sequence_of(sample).is_padding) {
    checked.report = padding_report();
    return checked;
  }
  const auto given = case_of_sample(batch, values, sample, head);
  if (!given) {
    checked.report = unchecked_report(given.error().message);
    return checked;
  }
  checked.mask = given->mask;
  checked.report = lint_mask(*given, {.stop = stop});
  return checked;
}

std::uint64_t differing_cells(const Checked& first, const Checked& other, const std::stop_token& stop) {
  if (!first.mask || !other.mask || first.mask->extent() != other.mask->extent()) return 0;
  const auto compared = compare_masks(*first.mask, *other.mask, {.stop = stop});
  return compared ? compared->only_first + compared->only_second : 0;
}

}  // namespace

Result<LintCase> case_of_sample(const SampleBatch& batch, const SampleValues& values, Index sample, Index head) {
  const auto own = with_sample(values, batch, sample, head);
  if (!own) return own.error();
  auto base = lint_case(own->values);
  return base && !own->stated.map().empty() ? lint_case(std::move(*base), own->stated) : base;
}

BatchLooks batch_looks(const SampleBatch& batch, const SampleValues& values, const std::stop_token& stop) {
  std::vector<Checked> known;
  BatchLooks looks;
  std::vector<LintReport> reports;
  for (Index i = 0; i < batch.samples * batch.heads; ++i) {
    if (stop.stop_requested()) return {};
    const Index sample = i / batch.heads;
    const Index head = i % batch.heads;
    const auto equal = std::ranges::find_if(
        known, [&](const Checked& each) { return batch.are_equal(each.sample, each.head, sample, head); });
    const auto group = static_cast<std::size_t>(equal - known.begin());
    if (group == known.size()) {
      known.push_back(check_sample(batch, sample, head, values, stop));
      known.back().differs = differing_cells(known.front(), known.back(), stop);
    }
    const Checked& checked = known[group];
    looks.all.push_back({group, checked.differs, checked.report.findings});
    reports.push_back(checked.report);
  }
  looks.report = joined_reports(reports, batch.heads);
  return stop.stop_requested() ? BatchLooks{} : looks;
}

}  // namespace vqscope
