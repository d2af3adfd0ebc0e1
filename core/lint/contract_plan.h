// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/contract_case.h"
#include "core/lint/finding.h"
#include "core/mask/layout_regions.h"

#include <functional>

namespace vqscope {

/// Cells of which a rule wants that all are masked, or that all are visible.
struct CellProbe {
  CellSet region;
  bool visible = false;
  bool breaks = false;                   ///< a cell that is otherwise breaks the rule by itself
  std::function<bool()> only_asks = {};  ///< empty, or whether such cells are a question and no finding
};

/// What the mask answers a probe. `region`, `wrong`: cells in the rows that were checked.
struct CellTally {
  std::uint64_t region = 0;
  std::uint64_t wrong = 0;
  Index row = -1;  ///< of the first wrong cell by row, then by key; -1: none
  Index key = -1;
};

/// Rows that see nothing, among those of real queries and those of padding.
struct RowTally {
  std::uint64_t real = 0;
  std::uint64_t padding = 0;
  Index first_real = -1;
  Index first_padding = -1;
};

struct Tallies {
  std::vector<CellTally> cells;  ///< one a probe
  RowTally rows;
};

/// How one rule goes about a case: the questions to the mask, and what it concludes from the answers. Rules that look
/// at values alone have no probes.
struct RulePlan {
  std::string not_asked;  ///< why the rule does not concern this case; nothing else is set then
  std::vector<CellProbe> probes;
  std::vector<Range> empty_rows_break;  ///< sorted: of these rows one that sees nothing breaks the rule
  std::vector<Range> rows_that_break;   ///< sorted: known without the mask
  std::function<void(const Tallies&, std::vector<Finding>&)> conclude;
};

/// One row of the table. `plan` outlives neither the case nor what it points to.
struct ContractRule {
  ContractRuleInfo info;
  RulePlan (*plan)(const ContractCase&);
};

std::vector<ContractRule> mask_rules();      ///< about keys that must not, and rows that must see
std::vector<ContractRule> window_rules();    ///< about windows, chunks, and keys that are hidden
std::vector<ContractRule> position_rules();  ///< about position_ids and rotary angles
std::vector<ContractRule> value_rules();     ///< about the numbers of an additive mask or bias
std::vector<ContractRule> handover_rules();  ///< about how the mask reaches a kernel
std::vector<ContractRule> label_rules();

/// "28 cells", "1 row".
std::string counted(std::uint64_t count, const std::string& one);

/// A finding of cells: the smallest counterexample, how many there are, and `sentence`, to which the count is added.
Finding cell_finding(Severity severity, const CellTally& tally, const std::string& sentence);
/// The same of something that is counted otherwise; nothing is counted when `one` is empty.
Finding finding(Severity severity, std::optional<Index> row, std::optional<Index> key, const std::string& sentence,
                std::uint64_t count = 1, const std::string& one = {});

/// Something to state: "set past_len=8 if ...".
inline Finding question(const std::string& sentence) { return finding(Severity::question, {}, {}, sentence); }
/// A plan that has nothing but a question.
RulePlan asking(const std::string& sentence);

/// "row 3 sees key 5", "row 3 does not see key 1".
std::string seen_cell(const CellTally& tally);
std::string hidden_cell(const CellTally& tally);
/// "kv_pos 5 > q_pos 3".
std::string positions_text(const ContractCase& given, const CellTally& tally, const char* relation);

inline RulePlan not_asked(std::string reason) {
  RulePlan plan;
  plan.not_asked = std::move(reason);
  return plan;
}

/// Every rule, in the order of the report.
const std::vector<ContractRule>& all_contract_rules();

/// Cells of some rows that are not as the probe wants them, modulo 2^64. A number of no use once the budget is over.
std::uint64_t wrong_cells(const CellProbe& probe, std::span<const Band> mask, Range rows, CountBudget& budget);

}  // namespace vqscope
