// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/lint.h"

#include "core/base/sentence.h"
#include "core/lint/lint_plan.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The first row of `rows` with a wrong cell; there must be one.
Index first_wrong_row(const CellProbe& probe, std::span<const Band> mask, Range rows, CountBudget& budget) {
  while (rows.size() > 1 && !budget.is_over()) {
    const Range half{rows.begin, rows.begin + rows.size() / 2};
    if (wrong_cells(probe, mask, half, budget) > 0)
      rows = half;
    else
      rows.begin = half.end;
  }
  return rows.begin;
}

/// The first column of `wanted` that is in `seen` (`in`) or is not in it (not `in`).
Index first_column(std::span<const Range> wanted, std::span<const Range> seen, bool in) {
  for (const Range& range : wanted)
    for (Index kv = range.begin; kv < range.end;) {
      const auto next = std::ranges::partition_point(seen, [&](const Range& r) { return r.end <= kv; });
      const bool none = next == seen.end() || next->begin >= range.end;
      const bool inside = !none && next->begin <= kv;
      if (inside == in) return kv;
      if (none) break;
      kv = inside ? next->end : next->begin;
    }
  return -1;
}

/// The tally is meaningless if the budget runs out.
void tally(const CellProbe& probe, std::span<const Band> mask, Range rows, CountBudget& budget, CellTally& into) {
  into.region += cell_count(probe.region, rows, budget);
  const std::uint64_t wrong = wrong_cells(probe, mask, rows, budget);
  into.wrong += wrong;
  if (wrong == 0 || into.row >= 0) return;
  into.row = first_wrong_row(probe, mask, rows, budget);
  if (!budget.is_over()) into.key = first_wrong_key(probe, mask, into.row);
}

void tally_rows(const SequenceLayout& layout, std::span<const Band> mask, Range rows, CountBudget& budget,
                RowTally& into) {
  const auto runs = layout.q_runs();
  for (const Range& empty : empty_rows(mask, rows, budget))
    for (auto at = std::ranges::partition_point(runs, [&](const TokenRun& r) { return r.tokens.end <= empty.begin; });
         at != runs.end() && at->tokens.begin < empty.end; ++at) {
      const TokenRun& run = *at;
      const Range part = common(empty, run.tokens);
      (run.valid ? into.real : into.padding) += static_cast<std::uint64_t>(part.size());
      Index& first = run.valid ? into.first_real : into.first_padding;
      if (first < 0) first = part.begin;
    }
}

struct Planned {
  const LintRule* rule;
  RulePlan plan;
  Tallies tallies;
};

void add(const RowTally& some, RowTally& all) {
  all.real += some.real;
  all.padding += some.padding;
  if (all.first_real < 0) all.first_real = some.first_real;
  if (all.first_padding < 0) all.first_padding = some.first_padding;
}

/// Puts every plan's probes for some rows to the mask. Returns false and leaves the tallies
/// unchanged if the budget runs out.
bool check_rows(const LintCase& given, std::span<const Band> bands, Range rows, CountBudget& budget,
                std::vector<Planned>& plans) {
  RowTally empty;
  tally_rows(given.layout, bands, rows, budget, empty);
  std::vector<Tallies> after;
  for (const Planned& planned : plans) {
    after.push_back(planned.tallies);
    add(empty, after.back().rows);
    for (std::size_t i = 0; i < planned.plan.probes.size(); ++i)
      tally(planned.plan.probes[i], bands, rows, budget, after.back().cells[i]);
  }
  if (budget.is_over()) return false;
  for (std::size_t i = 0; i < plans.size(); ++i) plans[i].tallies = std::move(after[i]);
  return true;
}

/// Goes chunk by chunk as far as the steps last.
void check(const LintCase& given, std::vector<Planned>& plans, const LintOptions& options, LintReport& report) {
  const Mask& mask = *given.mask;
  const Index rows = mask.extent().rows;
  CountBudget budget{.left = options.most_steps, .stop = options.stop};
  std::vector<Band> scratch;
  Index& checked = report.rows_checked;
  Index begun = 0;
  // For a mask with many bands, a partial answer is better than none.
  Index step = rows;
  while (checked < rows) {
    Range chunk{checked, std::min(rows, checked + step)};
    std::span<const Band> bands;
    const bool read = read_bands(mask, chunk, budget, scratch, bands);
    begun = std::max(chunk.end, checked + 1);
    if (!read) break;
    if (constexpr std::size_t many = 4096; bands.size() > many && chunk.size() > 1 && step == rows) {
      step = std::max<Index>(1, rows / 64);
      continue;
    }
    if (!check_rows(given, bands, chunk, budget, plans)) break;
    checked = chunk.end;
    if (options.progress) options.progress(static_cast<double>(checked) / static_cast<double>(rows));
  }
  report.complete = checked == rows;
  report.stopped = !report.complete && options.stop.stop_requested();
  const Index done = checked > 0 ? checked : begun;
  if (!report.complete)
    report.steps_of_all = budget.steps_of_all(static_cast<double>(done) / static_cast<double>(rows));
}

/// Findings that hold only if the keys are where they are taken to be become one question.
void question_key_positions(const LintCase& given, std::vector<Finding>& findings) {
  const auto assumed = [](const Finding& f) {
    return f.severity != Severity::question && compares_key_positions(f.rule);
  };
  const auto first = std::ranges::find_if(findings, assumed);
  if (first == findings.end()) return;
  const SequenceLayout& layout = given.layout;
  Finding key_question =
      question(fmt::format("there are fewer keys than tokens: if they are those at positions {} to {}, {}; set "
                           "cache_positions, the position "
                           "of each key",
                           layout.kv_pos(0), layout.kv_pos(layout.kv_length() - 1), first->sentence),
               {suggest("cache_positions")});
  key_question.rule = first->rule;
  std::erase_if(findings, assumed);
  findings.push_back(std::move(key_question));
}

bool wanted(const LintOptions& options, const std::string& id) {
  return options.rules.empty() || std::ranges::count(options.rules, id) > 0;
}

}  // namespace

const std::vector<LintRule>& all_lint_rules() {
  static const std::vector<LintRule> all = [] {
    std::vector<LintRule> rules = mask_rules();
    for (const auto& more : {window_rules(), position_rules(), cache_rules(), tensor_rules(), value_rules(),
                             handover_rules(), label_rules()})
      rules.insert(rules.end(), more.begin(), more.end());
    return rules;
  }();
  return all;
}

std::uint64_t wrong_cells(const CellProbe& probe, std::span<const Band> mask, Range rows, CountBudget& budget) {
  const std::uint64_t seen = common_cells(probe.region, mask, rows, budget);
  return probe.visible ? cell_count(probe.region, rows, budget) - seen : seen;
}

Index first_wrong_key(const CellProbe& probe, std::span<const Band> mask, Index row) {
  std::vector<Range> wanted;
  std::vector<Range> seen;
  row_of(probe.region, row, wanted);
  row_of(mask, row, seen);
  return first_column(wanted, seen, !probe.visible);
}

std::size_t LintReport::count(Severity severity) const {
  return static_cast<std::size_t>(std::ranges::count(findings, severity, &Finding::severity));
}

std::string LintReport::summary() const {
  const auto checked = static_cast<std::size_t>(
      std::ranges::count_if(outcomes, [](const RuleOutcome& outcome) { return outcome.skipped.empty(); }));
  std::string text =
      fmt::format("{}, {}", counted(count(Severity::error), "error"), counted(count(Severity::warning), "warning"));
  if (!questions.empty()) text += ", " + counted(questions.size(), "question");
  text += fmt::format("; {} checked, {} skipped", counted(checked, "rule"), outcomes.size() - checked);
  if (complete) return text;
  const std::string why = stopped ? "; stopped, " : "; more would take too long, ";
  text += why + (rows_checked > 0 ? fmt::format("rows 0 to {} checked", rows_checked - 1) : "no rows checked");
  return stopped ? text : text + time_of_all_rows(steps_of_all, rows_checked > 0);
}

std::vector<LintRuleInfo> lint_rules() {
  std::vector<LintRuleInfo> infos;
  for (const auto& rule : all_lint_rules()) infos.push_back(rule.info);
  return infos;
}

LintReport lint_mask(const LintCase& given, const LintOptions& options) {
  assert(given.mask && given.mask->extent() == (Extent{given.layout.q_length(), given.layout.kv_length()}));
  LintReport report;
  std::vector<Planned> plans;
  for (const LintRule& rule : all_lint_rules()) {
    if (!wanted(options, rule.info.id)) continue;
    Planned planned{&rule, rule.plan(given), {}};
    report.outcomes.push_back({rule.info.id, planned.plan.skipped});
    if (!planned.plan.skipped.empty()) continue;
    planned.tallies.cells.resize(planned.plan.probes.size());
    plans.push_back(std::move(planned));
  }
  check(given, plans, options, report);
  for (const Planned& planned : plans) {
    const std::size_t before = report.findings.size();
    planned.plan.conclude(planned.tallies, report.findings);
    for (std::size_t i = before; i < report.findings.size(); ++i) report.findings[i].rule = planned.rule->info.id;
  }
  auto& findings = report.findings;
  if (given.keys_assumed) question_key_positions(given, findings);
  const auto first_question = std::stable_partition(findings.begin(), findings.end(),
                                                    [](const Finding& f) { return f.severity != Severity::question; });
  report.questions.assign(first_question, findings.end());
  findings.erase(first_question, findings.end());
  return report;
}

}  // namespace vqscope
