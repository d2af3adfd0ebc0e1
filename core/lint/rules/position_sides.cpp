// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/rules/position_sides.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {

std::string PositionSide::token(Index token) const { return (queries ? "query " : "key ") + to_text(token); }

std::vector<PositionSide> position_sides(const LintCase& given) {
  std::vector<PositionSide> all;
  if (!given.kv_position_ids.empty())
    all.push_back({given.kv_position_ids, given.layout.kv_runs(), false, given.first_position});
  if (!given.q_position_ids.empty())
    all.push_back({given.q_position_ids, given.layout.q_runs(), true, given.first_position});
  return all;
}

std::string positions_unchecked(const LintCase& given) {
  if (position_sides(given).empty()) return "position_ids is not given";
  if (!given.draft_blocks.empty()) return "the queries are blocks with several anchors";
  return given.layout.has_slots() ? "the cache has slots: see the rule cache_positions" : "";
}

Finding token_finding(const PositionSide& side, const std::vector<Range>& tokens, const std::string& sentence,
                      const std::string& one) {
  const std::optional<Index> at = tokens.front().begin;
  auto made = finding(Severity::error, side.queries ? at : std::nullopt, side.queries ? std::nullopt : at, sentence,
                      total_size(tokens), one);
  made.rows = tokens;
  return made;
}

const TokenRun* first_real(std::span<const TokenRun> runs) {
  const auto first = std::ranges::find_if(runs, [](const TokenRun& run) { return run.valid; });
  return first == runs.end() ? nullptr : &*first;
}

bool padded_left(const LintCase& given) { return !given.layout.kv_runs().front().valid; }

}  // namespace vqscope
