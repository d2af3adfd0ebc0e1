// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/mask/contract_plan.h"
#include "core/mask/dialect.h"
#include "core/mask/layout_regions.h"

namespace vqscope {
namespace {

bool looks_back(const ContractCase& given) {
  return given.objective == Objective::causal || given.objective == Objective::prefix;
}

std::string cell(const CellTally& tally, const char* verb) {
  return "row " + to_text(tally.row) + " " + verb + " key " + to_text(tally.key);
}

std::string positions(const ContractCase& given, const CellTally& tally, const char* relation) {
  return "kv_pos " + to_text(given.layout.kv_pos(tally.key)) + " " + relation + " q_pos " +
         to_text(given.layout.q_pos(tally.row));
}

Index behind(const ContractCase& given, const CellTally& tally) {
  return given.layout.q_pos(tally.row) - given.layout.kv_pos(tally.key);
}

/// A rule that wants one region masked, or visible.
RulePlan one_probe(Region region, bool visible, std::function<std::string(const CellTally&)> sentence) {
  RulePlan plan;
  plan.probes.push_back({std::move(region), visible, true});
  plan.conclude = [sentence = std::move(sentence)](const Tallies& tallies, std::vector<Finding>& out) {
    const CellTally& tally = tallies.cells[0];
    if (tally.wrong > 0) out.push_back(cell_finding(Severity::error, tally, sentence(tally)));
  };
  return plan;
}

std::vector<Range> real_rows(const SequenceLayout& layout) {
  std::vector<Range> rows;
  for (const TokenRun& run : layout.q_runs())
    if (run.valid) rows.push_back(run.tokens);
  return rows;
}

RulePlan polarity(const ContractCase& given) {
  const auto wanted = structure_mask(wanted_structure(given), given.layout);
  std::vector<Band> scratch;
  RulePlan plan;
  const auto bands = wanted->bands({0, wanted->extent().rows}, scratch);
  plan.probes.push_back({rows_of(bands, real_rows(given.layout)), true});
  plan.probes.push_back({real_queries(given.layout), false});
  plan.conclude = [](const Tallies& tallies, std::vector<Finding>& out) {
    const CellTally& masked = tallies.cells[0];  // of the wanted cells
    const CellTally& seen = tallies.cells[1];    // of all
    const bool all_masked = masked.region > 0 && masked.wrong == masked.region;
    if (!all_masked || seen.wrong != seen.region - masked.region) return;
    out.push_back(finding(Severity::error, masked.row, masked.key,
                          "row " + to_text(masked.row) + " does not see key " + to_text(masked.key) +
                              ": every key that is wanted is masked and every other one visible, so the polarity is "
                              "inverted",
                          masked.wrong, "cell"));
  };
  return plan;
}

RulePlan future_visible(const ContractCase& given) {
  if (!looks_back(given)) return not_asked("the objective is " + objective_name(given.objective));
  const bool prefix = given.objective == Objective::prefix;
  const Region future = keys_at_distance(given.layout, {-any_distance, 0, prefix ? given.prefix_length : 0});
  return one_probe(future, false, [&given, prefix](const CellTally& tally) {
    return cell(tally, "sees") + ": " + positions(given, tally, ">") +
           (prefix ? " and beyond the prefix of " + to_text(given.prefix_length) : "") + ", the objective is " +
           objective_name(given.objective);
  });
}

RulePlan padding_visible(const ContractCase& given) {
  if (padding_count(given.layout) == 0) return not_asked("no padding");
  return one_probe(padding_keys(given.layout), false,
                   [](const CellTally& tally) { return cell(tally, "sees") + ", which is padding"; });
}

RulePlan document_leak(const ContractCase& given) {
  if (document_count(given.layout) < 2) return not_asked("one document");
  return one_probe(other_documents(given.layout), false, [&given](const CellTally& tally) {
    return cell(tally, "sees") + ": document " + to_text(given.layout.kv_document(tally.key)) +
           " leaks into document " + to_text(given.layout.q_document(tally.row));
  });
}

RulePlan prefix_bidirectional(const ContractCase& given) {
  if (given.objective != Objective::prefix) return not_asked("the objective is " + objective_name(given.objective));
  const Region square = prefix_square(given.layout, given.prefix_length, given.window.value_or(any_distance));
  return one_probe(square, true, [&given](const CellTally& tally) {
    return cell(tally, "does not see") + ": both are in the prefix of " + to_text(given.prefix_length) + " (" +
           positions(given, tally, "and") + ")";
  });
}

/// Which kernel does what with a row without keys.
std::string empty_row_fate(const std::string& dialect) {
  if (dialect == "sdpa") return "zeros in torch SDPA from 2.5 on, NaN before";
  if (dialect == "flex_attention") return "zeros in FlexAttention, NaN when compiled with ROWS_GUARANTEED_SAFE";
  const auto* known = find_dialect(dialect);
  const bool added = known && known->polarity == MaskPolarity::added;
  if (added && dialect != "additive_inf") return "uniform over all keys, masked ones too";
  if (known && (added || dialect == "mha")) return "NaN";
  return "NaN with -inf, zeros in torch SDPA from 2.5 on, uniform over all keys with finfo.min";
}

RulePlan empty_row(const ContractCase& given) {
  RulePlan plan;
  plan.empty_rows_break = true;
  plan.conclude = [&given](const Tallies& tallies, std::vector<Finding>& out) {
    const RowTally& rows = tallies.rows;
    const auto sentence = [&](Index row, const char* of) {
      return "row " + to_text(row) + " sees no key" + of + "; its softmax is " + empty_row_fate(given.dialect);
    };
    if (rows.real > 0)
      out.push_back(finding(Severity::error, rows.first_real, {}, sentence(rows.first_real, ""), rows.real, "row"));
    if (rows.padding > 0)
      out.push_back(finding(Severity::warning, rows.first_padding, {}, sentence(rows.first_padding, " and is padding"),
                            rows.padding, "row"));
  };
  return plan;
}

std::string too_wide(const ContractCase& given, const CellTally& wide, const CellTally& wider) {
  const std::string window = to_text(*given.window);
  std::string text = cell(wide, "sees") + ", " + to_text(behind(given, wide)) + " behind: a window of " + window +
                     " wants q_pos - kv_pos < " + window;
  if (wider.wrong == 0)
    text += "; the mask is a window of " + to_text(*given.window + 1) + ", as q_idx - kv_idx <= " + window +
            " (attention-gym) and window_size=(" + window + ", 0) (flash-attention) make it";
  return text;
}

std::string too_narrow(const ContractCase& given, const CellTally& narrow, const CellTally& narrower,
                       const CellTally& self) {
  const Index window = *given.window;
  std::string text = cell(narrow, "does not see") + ", " + to_text(behind(given, narrow)) +
                     " behind: inside the window of " + to_text(window);
  if (self.wrong > 0) return text + "; queries do not see themselves";
  if (narrower.wrong == 0 && window > 1) text += "; the mask is a window of " + to_text(window - 1);
  return text;
}

RulePlan window(const ContractCase& given) {
  if (!given.window) return not_asked("no window is wanted");
  if (!looks_back(given)) return not_asked("the objective is " + objective_name(given.objective));
  const Index wanted = *given.window;
  const auto probe = [&](Index first, Index last, bool visible, bool breaks = false) {
    return CellProbe{keys_at_distance(given.layout, {first, last, 0}), visible, breaks};
  };
  RulePlan plan;
  plan.probes = {probe(wanted, any_distance, false, true), probe(wanted + 1, any_distance, false),
                 probe(0, wanted, true, true), probe(0, wanted - 1, true), probe(0, 1, true)};
  plan.conclude = [&given](const Tallies& tallies, std::vector<Finding>& out) {
    const auto& cells = tallies.cells;
    if (cells[0].wrong > 0) out.push_back(cell_finding(Severity::error, cells[0], too_wide(given, cells[0], cells[1])));
    if (cells[2].wrong > 0)
      out.push_back(cell_finding(Severity::error, cells[2], too_narrow(given, cells[2], cells[3], cells[4])));
  };
  return plan;
}

}  // namespace

std::vector<ContractRule> mask_rules() {
  return {
      {{"polarity_inverted", "Polarity inverted", "The mask is not the opposite of what is wanted.",
        "torch SDPA: True attends; nn.MultiheadAttention: True is masked"},
       polarity},
      {{"future_visible", "Future visible", "Under a causal objective kv_pos <= q_pos wherever a key is visible.",
        "Vaswani et al. 2017, section 3.2.3"},
       future_visible},
      {{"padding_visible", "Padding visible", "No real query sees a padding key.", "Vaswani et al. 2017"},
       padding_visible},
      {{"empty_row", "Rows without a key", "Every row that goes through a softmax sees a key.",
        "pytorch#103963, mlx#2395"},
       empty_row},
      {{"document_leak", "Documents leak", "No query sees a key of another packed document.", "trl#784"},
       document_leak},
      {{"prefix_not_bidirectional", "Prefix not bidirectional", "Within the prefix every query sees every key.",
        "Raffel et al. 2020, section 3.2.1; transformers#31673"},
       prefix_bidirectional},
      {{"window_off", "Window off", "Exactly the keys with q_pos - kv_pos < window are in the window.",
        "Beltagy et al. 2020; transformers#39408, vllm#3385"},
       window},
  };
}

}  // namespace vqscope
