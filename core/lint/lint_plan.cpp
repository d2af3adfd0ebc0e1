// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/lint_plan.h"

#include "core/base/sentence.h"
#include "core/lint/lint_regions.h"

#include <algorithm>
#include <array>

namespace vqscope {

bool compares_key_positions(const std::string& rule) {
  constexpr std::array rules{
      "polarity_inverted", "future_visible", "prefix_not_bidirectional", "span_not_bidirectional", "window_off",
      "chunk_off",         "key_hidden",     "cache_positions"};
  return std::ranges::count(rules, rule) > 0;
}

std::string counted(std::uint64_t count, const std::string& one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

Finding finding(Severity severity, std::optional<Index> row, std::optional<Index> key, const std::string& sentence,
                std::uint64_t count, const std::string& one) {
  Finding made{.severity = severity, .row = row, .key = key, .sentence = sentence, .count = count};
  if (one.empty()) return made;
  made.unit = one + "s";
  if (count > 1) made.sentence += fmt::format("; {} in all", counted(count, one));
  return made;
}

Finding cell_finding(Severity severity, const CellTally& tally, const std::string& sentence) {
  return finding(severity, tally.row, tally.key, sentence, tally.wrong, "cell");
}

Finding question(const std::string& sentence, std::vector<Suggestion> suggestions) {
  Finding made = finding(Severity::question, {}, {}, sentence);
  made.suggestions = std::move(suggestions);
  return made;
}

Finding cell_question(const CellTally& tally, const std::string& sentence, std::vector<Suggestion> suggestions) {
  Finding made = question(sentence, std::move(suggestions));
  made.row = tally.row;
  made.key = tally.key;
  return made;
}

RulePlan only_question(const std::string& sentence, std::vector<Suggestion> suggestions) {
  RulePlan plan;
  plan.conclude = [sentence, suggestions](const Tallies&, std::vector<Finding>& out) {
    out.push_back(question(sentence, suggestions));
  };
  return plan;
}

std::string seen_cell(const CellTally& tally) { return fmt::format("row {} sees key {}", tally.row, tally.key); }

std::string hidden_cell(const CellTally& tally) {
  return fmt::format("row {} does not see key {}", tally.row, tally.key);
}

std::string positions_text(const LintCase& given, const CellTally& tally, const char* relation) {
  return fmt::format("kv_pos {} {} q_pos {}", given.layout.kv_pos(tally.key), relation,
                     query_position(given, tally.row));
}

}  // namespace vqscope
