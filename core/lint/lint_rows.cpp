// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/lint_rows.h"

#include "core/base/sentence.h"
#include "core/lint/lint_plan.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Probes of one rule for single rows.
struct RowRule {
  std::string title;
  std::vector<CellProbe> probes;
  std::vector<Range> rows;        ///< sorted
  std::vector<Range> empty_rows;  ///< sorted: rows that must see a key

  bool broken_in(std::span<const Band> mask, Range some, CountBudget& budget) const {
    const auto first = std::ranges::partition_point(rows, [&](const Range& r) { return r.end <= some.begin; });
    if (first != rows.end() && first->begin < some.end) return true;
    if (has_empty_row(mask, some, budget)) return true;
    return std::ranges::any_of(probes,
                               [&](const CellProbe& probe) { return wrong_cells(probe, mask, some, budget) > 0; });
  }

  std::optional<Index> first_key(std::span<const Band> mask, Index q) const {
    std::optional<Index> first;
    for (const CellProbe& probe : probes)
      if (const Index key = first_wrong_key(probe, mask, q); key >= 0) first = std::min(first.value_or(key), key);
    return first;
  }

  bool has_empty_row(std::span<const Band> mask, Range some, CountBudget& budget) const {
    if (empty_rows.empty()) return false;
    return std::ranges::any_of(vqscope::empty_rows(mask, some, budget), [&](const Range& empty) {
      const auto at = std::ranges::partition_point(empty_rows, [&](const Range& r) { return r.end <= empty.begin; });
      return at != empty_rows.end() && at->begin < empty.end;
    });
  }
};

/// Rules about values alone conclude without probing the mask.
RowRule row_rule(const LintRule& rule, RulePlan plan) {
  RowRule made{rule.info.title, {}, plan.rows_that_break, plan.empty_rows_break};
  if (plan.probes.empty() && plan.empty_rows_break.empty()) {
    std::vector<Finding> findings;
    plan.conclude({}, findings);
    for (const Finding& found : findings)
      if (found.severity != Severity::question) made.rows.insert(made.rows.end(), found.rows.begin(), found.rows.end());
    std::ranges::sort(made.rows, {}, &Range::begin);
  }
  for (CellProbe& probe : plan.probes)
    if (probe.breaks && !(probe.gives_questions && probe.gives_questions())) made.probes.push_back(std::move(probe));
  return made;
}

std::vector<RowRule> row_rules(const LintCase& given) {
  std::vector<RowRule> rules;
  for (const LintRule& rule : all_lint_rules())
    if (RulePlan plan = rule.plan(given); plan.skipped.empty()) {
      if (given.keys_assumed && compares_key_positions(rule.info.id)) continue;
      RowRule made = row_rule(rule, std::move(plan));
      if (!made.empty_rows.empty() || !made.probes.empty() || !made.rows.empty()) rules.push_back(std::move(made));
    }
  return rules;
}

/// The row of `rows` nearest to the start of the search that breaks one of the rules.
std::optional<Index> outermost(const std::vector<RowRule>& rules, std::span<const Band> mask, Range rows, bool forwards,
                               CountBudget& budget) {
  const auto broken = [&](Range some) {
    return std::ranges::any_of(rules, [&](const RowRule& rule) { return rule.broken_in(mask, some, budget); });
  };
  if (rows.size() <= 0 || !broken(rows)) return std::nullopt;
  while (rows.size() > 1) {
    const Index middle = rows.begin + rows.size() / 2;
    const Range near = forwards ? Range{rows.begin, middle} : Range{middle, rows.end};
    const Range far = forwards ? Range{middle, rows.end} : Range{rows.begin, middle};
    rows = broken(near) ? near : far;
  }
  return rows.begin;
}

/// The error of a search that ends early: `left` was not searched.
Error search_error(const CountBudget& budget, Range left, Index from, bool forwards) {
  const Range seen = forwards ? Range{from + 1, left.begin} : Range{left.end, from};
  return budget.error((
      seen.size() > 0 ? fmt::format("no row from {} to {} breaks a rule, and looking further", seen.begin, seen.end - 1)
                      : std::string("looking for such a row")));
}

}  // namespace

BrokenRow broken_row(const LintCase& given, Index q) {
  std::vector<Band> scratch;
  CountBudget budget{.left = most_steps_of_an_answer};
  Range row{q, q + 1};
  std::span<const Band> bands;
  BrokenRow broken{.row = q};
  if (!read_bands(*given.mask, row, budget, scratch, bands)) return broken;
  for (const RowRule& rule : row_rules(given)) {
    if (!rule.broken_in(bands, {q, q + 1}, budget)) continue;
    broken.rules.push_back(rule.title);
    if (const auto key = rule.first_key(bands, q)) broken.key = std::min(broken.key.value_or(*key), *key);
  }
  return broken;
}

Result<std::optional<Index>> next_row_that_breaks(const LintCase& given, Index from, bool forwards,
                                                  const std::stop_token& stop) {
  const Mask& mask = *given.mask;
  const Index size = mask.extent().rows;
  assert(-1 <= from && from <= size);
  const auto rules = row_rules(given);
  CountBudget budget{.left = most_steps_of_an_answer, .stop = stop};
  std::vector<Band> scratch;
  Range rows = forwards ? Range{std::min(from + 1, size), size} : Range{0, std::max<Index>(from, 0)};
  // Without bands, rows are made one by one: starting with small steps finds near rows at once.
  const Index most = mask.has_bands() ? std::max<Index>(1, size) : 4096;
  Index step = mask.has_bands() ? most : 1;
  while (rows.size() > 0) {
    const Range chunk =
        forwards ? common(rows, {rows.begin, rows.begin + step}) : common(rows, {rows.end - step, rows.end});
    // A mask with bands yields all of them at once; otherwise read_bands may return only the first
    // rows of the chunk.
    Range read = chunk;
    std::span<const Band> bands;
    if (!read_bands(mask, read, budget, scratch, bands)) return search_error(budget, rows, from, forwards);
    if (read != chunk && !forwards) {
      step = read.size();
      continue;
    }
    const auto found = outermost(rules, bands, read, forwards, budget);
    if (budget.is_over()) return search_error(budget, rows, from, forwards);
    if (found) return found;
    (forwards ? rows.begin : rows.end) = forwards ? read.end : read.begin;
    step = std::min(2 * step, most);
  }
  return std::optional<Index>();
}

}  // namespace vqscope
