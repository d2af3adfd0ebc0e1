// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/lint/lint_plan.h"
#include "core/lint/lint_regions.h"
#include "core/lint/rules/position_sides.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index most_gone_rows = Index{1} << 20;

RulePlan cache_offset(const LintCase& given) {
  if (given.layout.past_len() == 0) return skipped("nothing is cached");
  if (!given.draft_blocks.empty()) return skipped(positions_unchecked(given));
  if (given.q_position_ids.empty()) return skipped("position_ids of the queries is not given");
  if (given.layout.has_slots()) return skipped("the cache has slots: see the rule cache_positions");
  RulePlan plan;
  plan.conclude = [&given](const Tallies&, std::vector<Finding>& out) {
    const TokenRun* first = first_real(given.layout.q_runs());
    if (!first) return;
    const Index query = first->tokens.begin;
    const Index has = given.q_position_ids[static_cast<std::size_t>(query)];
    const Index wanted = first->first + given.first_position;
    if (has == wanted || (has > wanted && padded_left(given))) return;
    const std::string cached = fmt::format("{} cached keys", given.layout.past_len());
    const std::string how = has < wanted ? fmt::format("the offset of {} is lost", cached)
                                         : fmt::format("{} ahead of the {}", has - wanted, cached);
    const std::string sentence = fmt::format("query {} has position {}, expected {}: {}", query, has, wanted, how);
    if (given.last_tokens)
      return out.push_back(question(sentence + " (past_len is assumed): set past_len, or cache_positions",
                                    {suggest("past_len", given.layout.past_len()), suggest("cache_positions")}));
    out.push_back(
        finding(Severity::error, query, {}, sentence, static_cast<std::uint64_t>(first->tokens.size()), "token"));
    out.back().rows = {first->tokens};
  };
  return plan;
}

/// The rank of each token of a side: the number of older tokens in the cache.
std::vector<Index> ranks(const SequenceLayout& layout, const PositionSide& side) {
  if (side.queries) {
    std::vector<Index> all;
    for (Index q = 0; q < layout.q_length(); ++q) all.push_back(layout.past_len() + q);
    return all;
  }
  std::vector<Index> positions;
  for (const TokenRun& run : side.runs)
    for (Index token = run.tokens.begin; run.valid && token < run.tokens.end; ++token)
      positions.push_back(run.position(token));
  std::vector<Index> all;
  std::ranges::sort(positions);
  for (const TokenRun& run : side.runs)
    for (Index token = run.tokens.begin; token < run.tokens.end; ++token)
      all.push_back(std::ranges::lower_bound(positions, run.position(token)) - positions.begin());
  return all;
}

/// Whether all real tokens of a side are at their true positions, or at their ranks in the cache.
struct SlotCount {
  bool true_positions = true;
  bool ranks = true;
  Index odd = -1;  ///< the first token that is not at its true position
};

SlotCount slot_count(const SequenceLayout& layout, const PositionSide& side) {
  SlotCount count;
  const auto by_rank = ranks(layout, side);
  for (const TokenRun& run : side.runs)
    for (Index token = run.tokens.begin; run.valid && token < run.tokens.end; ++token) {
      const Index has = side.at(token) - side.first;
      count.ranks = count.ranks && has == by_rank[static_cast<std::size_t>(token)];
      if (has == run.position(token)) continue;
      count.true_positions = false;
      if (count.odd < 0) count.odd = token;
    }
  return count;
}

RulePlan cache_positions(const LintCase& given) {
  if (!given.layout.has_slots()) return skipped("cache_positions is not given");
  if (position_sides(given).empty()) return skipped("position_ids is not given");
  RulePlan plan;
  plan.conclude = [&given](const Tallies&, std::vector<Finding>& out) {
    bool true_positions = true;
    bool by_rank = true;
    std::optional<std::pair<PositionSide, SlotCount>> odd;
    for (const PositionSide& side : position_sides(given)) {
      const SlotCount count = slot_count(given.layout, side);
      true_positions = true_positions && count.true_positions;
      by_rank = by_rank && count.ranks;
      if (!count.true_positions && !odd) odd = {side, count};
    }
    if (true_positions || by_rank) return;
    const auto& [side, count] = *odd;
    const Index token = count.odd;
    const Index position = side.queries ? given.layout.q_pos(token) : given.layout.kv_pos(token);
    out.push_back(token_finding(
        side, {{token, token + 1}},
        fmt::format("{} is rotated at position {}, its token is at {}: queries and cached keys use different positions",
                    side.token(token), side.at(token), position + side.first),
        "token"));
    out.back().count = 1;
  };
  return plan;
}

/// The positions that the slots hold: sorted, disjoint, not touching.
std::vector<Range> held_positions(const SequenceLayout& layout) {
  std::vector<Range> positions;
  for (const TokenRun& run : layout.kv_runs())
    if (run.valid) positions.push_back({run.first, run.first + run.tokens.size()});
  std::ranges::sort(positions, {}, &Range::begin);
  std::vector<Range> held;
  for (const Range& some : positions)
    if (!held.empty() && some.begin <= held.back().end)
      held.back().end = std::max(held.back().end, some.end);
    else
      held.push_back(some);
  return held;
}

/// The first position of `needed` that is not held.
std::optional<Index> first_missing(Range needed, std::span<const Range> held) {
  for (Index position = needed.begin; position < needed.end;) {
    const auto at = std::ranges::partition_point(held, [&](const Range& r) { return r.end <= position; });
    if (at == held.end() || at->begin > position) return position;
    position = at->end;
  }
  return std::nullopt;
}

RulePlan keys_gone(const LintCase& given) {
  if (!given.layout.has_slots()) return skipped("cache_positions is not given");
  if (given.keys_assumed) return skipped("the positions of the keys are not known");
  if (!looks_back(given.objective)) return skipped("the objective is " + objective_name(given.objective));
  if (given.layout.q_length() > most_gone_rows) return skipped("there are too many queries to check");
  RulePlan plan;
  plan.conclude = [&given](const Tallies&, std::vector<Finding>& out) {
    const auto held = held_positions(given.layout);
    if (held.empty()) return;
    // Without a window, a cache may have dropped old keys on purpose, but not the query's own.
    const Index reach = given.window || given.window_left ? reach_behind(given) : 0;
    std::vector<Range> rows;
    Index first = 0;
    for (Index q = 0; q < given.layout.q_length(); ++q) {
      const Index position = given.layout.q_pos(q);
      const Range needed{std::max<Index>(0, position - reach), std::min(position + 1, held.back().end)};
      const auto missing = first_missing(needed, held);
      if (!missing) continue;
      if (rows.empty()) first = *missing;
      append_range({q, q + 1}, rows);
    }
    if (rows.empty()) return;
    const Index row = rows.front().begin;
    out.push_back(finding(Severity::warning, row, {},
                          fmt::format("row {} is at position {} and needs position {}, which no slot holds any more",
                                      row, given.layout.q_pos(row), first),
                          total_size(rows), "row"));
    out.back().rows = rows;
  };
  return plan;
}

/// A query's own keys that a row sees, sorted: position, then key.
std::vector<std::pair<Index, Index>> branch_of(const LintCase& given, Index q) {
  std::vector<std::pair<Index, Index>> seen;
  for (Index other = 0; other < given.layout.q_length(); ++other) {
    const auto key = given.layout.key_of(other);
    if (key && given.mask->visible(q, *key))
      seen.emplace_back(given.q_position_ids[static_cast<std::size_t>(other)], *key);
  }
  std::ranges::sort(seen);
  return seen;
}

/// Fault of the branch of row q; empty: it has one key of each position from the first to its own.
std::string branch_sentence(const LintCase& given, Index q, std::optional<Index>& key) {
  const auto seen = branch_of(given, q);
  if (seen.empty()) return {};
  const auto position = [](const auto& pair) { return pair.first; };
  if (const auto twice = std::ranges::adjacent_find(seen, {}, position); twice != seen.end()) {
    key = std::next(twice)->second;
    return fmt::format("row {} sees keys {} and {}, both at position {}: they are on different branches", q,
                       twice->second, *key, twice->first);
  }
  const Index own = given.q_position_ids[static_cast<std::size_t>(q)];
  Index next = std::ranges::min(given.q_position_ids);
  for (const auto& pair : seen)
    if (pair.first == next) ++next;
  if (next > own || wants_window(given)) return {};
  return fmt::format("row {} at position {} sees no key at position {}, which its branch must have", q, own, next);
}

RulePlan draft_tree(const LintCase& given) {
  if (!given.branches) return skipped("position_ids do not branch");
  RulePlan plan;
  plan.conclude = [&given](const Tallies&, std::vector<Finding>& out) {
    std::vector<Range> rows;
    std::string first;
    std::optional<Index> first_key;
    for (Index q = 0; q < given.layout.q_length(); ++q) {
      std::optional<Index> key;
      std::string sentence = branch_sentence(given, q, key);
      if (sentence.empty()) continue;
      if (rows.empty()) first_key = key;
      if (rows.empty()) first = std::move(sentence);
      append_range({q, q + 1}, rows);
    }
    if (rows.empty()) return;
    out.push_back(finding(Severity::error, rows.front().begin, first_key, first, total_size(rows), "row"));
    out.back().rows = rows;
  };
  return plan;
}

}  // namespace

std::vector<LintRule> cache_rules() {
  return {
      {{"cache_offset", "Cache offset off", "The first new query has position past_len.",
        "Hugging Face generation: position_ids from past_len on; sglang#25015"},
       cache_offset},
      {{"cache_positions", "Inconsistent cache positions",
        "Queries and cached keys both use true positions, or both use their rank in the cache.",
        "Xiao et al. 2023, StreamingLLM, section 3.2; llama.cpp#4097"},
       cache_positions},
      {{"keys_gone", "Keys overwritten", "The slots of a cache hold every key that a query needs.",
        "litgpt#2182; mlx-vlm#1138"},
       keys_gone},
      {{"draft_tree", "Branch of a draft off",
        "If position_ids branch, a query sees one key of each position up to its own: its branch.",
        "Miao et al. 2023, SpecInfer: tree attention"},
       draft_tree},
  };
}

}  // namespace vqscope
