// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/finding.h"
#include "core/lint/lint_case.h"
#include "core/mask/layout_regions.h"

#include <functional>

namespace vqscope {

/// Cells that a rule requires to be all masked, or all visible.
struct CellProbe {
  CellSet region;
  bool visible = false;
  bool breaks = false;                         ///< a single wrong cell breaks the rule
  std::function<bool()> gives_questions = {};  ///< whether wrong cells give a question; may be empty
};

/// The result of a probe. `region`, `wrong`: numbers of cells in the rows checked.
struct CellTally {
  std::uint64_t region = 0;
  std::uint64_t wrong = 0;
  Index row = -1;  ///< of the first wrong cell by row, then by key; -1: none
  Index key = -1;
};

/// Rows without a visible key, separately for real queries and padding.
struct RowTally {
  std::uint64_t real = 0;
  std::uint64_t padding = 0;
  Index first_real = -1;
  Index first_padding = -1;
};

struct Tallies {
  std::vector<CellTally> cells;  ///< one per probe
  RowTally rows;
};

/// How one rule checks a case: the probes of the mask, and the conclusion from their results. Rules
/// about values alone have no probes.
struct RulePlan {
  std::string skipped;  ///< why the rule is skipped; nothing else is set then
  std::vector<CellProbe> probes;
  std::vector<Range> empty_rows_break;  ///< sorted: such rows without a visible key break the rule
  std::vector<Range> rows_that_break;   ///< sorted: they break the rule whatever the mask
  std::function<void(const Tallies&, std::vector<Finding>&)> conclude;
};

/// One row of the table. The plan must not outlive the case or what it points to.
struct LintRule {
  LintRuleInfo info;
  RulePlan (*plan)(const LintCase&);
};

std::vector<LintRule> mask_rules();      ///< about keys to mask and rows that must see a key
std::vector<LintRule> window_rules();    ///< about windows, chunks and hidden keys
std::vector<LintRule> position_rules();  ///< about position_ids and rotary angles
std::vector<LintRule> cache_rules();     ///< about positions and slots of a cache
std::vector<LintRule> value_rules();     ///< about the numbers of an additive mask or bias
std::vector<LintRule> tensor_rules();    ///< about the type and polarity of the tensor itself
std::vector<LintRule> handover_rules();  ///< about how the mask reaches a kernel
std::vector<LintRule> label_rules();

/// "28 cells", "1 row".
std::string counted(std::uint64_t count, const std::string& one);

/// A finding about cells: the smallest counterexample and `sentence`, with the number of cells
/// appended.
Finding cell_finding(Severity severity, const CellTally& tally, const std::string& sentence);
/// The same for anything else that is counted; nothing is counted if `one` is empty.
Finding finding(Severity severity, std::optional<Index> row, std::optional<Index> key, const std::string& sentence,
                std::uint64_t count = 1, const std::string& one = {});

/// Asks the user to set something: "set past_len=8 if ...", with what to set.
Finding question(const std::string& sentence, std::vector<Suggestion> suggestions);
/// The same about a cell.
Finding cell_question(const CellTally& tally, const std::string& sentence, std::vector<Suggestion> suggestions);
/// A plan with only a question.
RulePlan only_question(const std::string& sentence, std::vector<Suggestion> suggestions);

/// "row 3 sees key 5", "row 3 does not see key 1".
std::string seen_cell(const CellTally& tally);
std::string hidden_cell(const CellTally& tally);
/// "kv_pos 5 > q_pos 3".
std::string positions_text(const LintCase& given, const CellTally& tally, const char* relation);

inline RulePlan skipped(std::string reason) {
  RulePlan plan;
  plan.skipped = std::move(reason);
  return plan;
}

/// Whether the rule compares positions of keys, which may be assumed (LintCase::keys_assumed).
bool compares_key_positions(const std::string& rule);

/// Every rule, in the order of the report.
const std::vector<LintRule>& all_lint_rules();

/// Number of cells in some rows that break the probe, modulo 2^64. Meaningless once the budget is
/// over.
std::uint64_t wrong_cells(const CellProbe& probe, std::span<const Band> mask, Range rows, CountBudget& budget);

/// The first key of a row whose cell breaks the probe; -1: none.
Index first_wrong_key(const CellProbe& probe, std::span<const Band> mask, Index row);

}  // namespace vqscope
