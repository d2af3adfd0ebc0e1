// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/contract_plan.h"

#include "core/base/text.h"

namespace vqscope {

std::string counted(std::uint64_t count, const std::string& one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

Finding finding(Severity severity, std::optional<Index> row, std::optional<Index> key, const std::string& sentence,
                std::uint64_t count, const std::string& one) {
  Finding made{.severity = severity, .row = row, .key = key, .sentence = sentence, .count = count};
  if (one.empty()) return made;
  made.unit = one + "s";
  if (count > 1) made.sentence += "; " + counted(count, one) + " in all";
  return made;
}

Finding cell_finding(Severity severity, const CellTally& tally, const std::string& sentence) {
  return finding(severity, tally.row, tally.key, sentence, tally.wrong, "cell");
}

RulePlan asking(const std::string& sentence) {
  RulePlan plan;
  plan.conclude = [sentence](const Tallies&, std::vector<Finding>& out) { out.push_back(question(sentence)); };
  return plan;
}

std::string seen_cell(const CellTally& tally) {
  return "row " + to_text(tally.row) + " sees key " + to_text(tally.key);
}

std::string hidden_cell(const CellTally& tally) {
  return "row " + to_text(tally.row) + " does not see key " + to_text(tally.key);
}

std::string positions_text(const ContractCase& given, const CellTally& tally, const char* relation) {
  return "kv_pos " + to_text(given.layout.kv_pos(tally.key)) + " " + relation + " q_pos " +
         to_text(given.layout.q_pos(tally.row));
}

}  // namespace vqscope
