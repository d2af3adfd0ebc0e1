// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/mask/block_view.h"
#include "core/mask/contract_plan.h"
#include "core/mask/dialect.h"
#include "core/mask/layout_regions.h"

#include <array>

namespace vqscope {
namespace {

Region every_cell(const ContractCase& given) {
  return {{{0, given.layout.q_length()}, Ramp::constant(0), Ramp::constant(given.layout.kv_length())}};
}

RulePlan dialect_polarity(const ContractCase& given) {
  const Dialect* dialect = find_dialect(given.dialect);
  if (!dialect || given.true_means.empty()) return not_asked("dialect and true_means are needed");
  const bool attends = dialect->polarity == MaskPolarity::true_attends;
  if (!attends && dialect->polarity != MaskPolarity::true_masked)
    return not_asked(dialect->title + " takes no boolean mask");
  RulePlan plan;
  plan.probes.push_back({every_cell(given), true});
  plan.conclude = [&given, dialect, attends](const Tallies& tallies, std::vector<Finding>& out) {
    if (attends == (given.true_means == "attends")) return;
    const CellTally& masked = tallies.cells[0];
    if (masked.region == 0) return;
    out.push_back(finding(Severity::error, {}, {},
                          "True " + std::string(attends ? "is masked" : "attends") + " in this mask and " +
                              (attends ? "attends" : "is masked") + " in " + dialect->title + ": all " +
                              counted(masked.region, "cell") + " would be taken the other way"));
  };
  return plan;
}

RulePlan zero_one_mask(const ContractCase& given) {
  if (given.values.empty()) return not_asked("the values of the mask are not said");
  const Dialect* dialect = find_dialect(given.dialect);
  if (dialect && (dialect->id == "padding_2d" || dialect->polarity == MaskPolarity::arguments))
    return not_asked(dialect->title + " adds no mask");
  if (given.values != "zero_one") return not_asked("the mask holds no floats 0 and 1");
  RulePlan plan;
  plan.probes.push_back({every_cell(given), true, true});
  plan.conclude = [](const Tallies& tallies, std::vector<Finding>& out) {
    const CellTally& masked = tallies.cells[0];
    if (masked.wrong == 0) return;
    out.push_back(cell_finding(Severity::error, masked,
                               "row " + to_text(masked.row) + " would see key " + to_text(masked.key) +
                                   ": floats 0 and 1 are added to the scores, a masked key loses a factor e and stays "
                                   "visible"));
  };
  return plan;
}

RulePlan double_masking(const ContractCase& given) {
  if (!given.is_causal) return not_asked("is_causal is not given");
  const Dialect* dialect = find_dialect(given.dialect);
  const bool right = dialect && dialect->alignment == CausalAlignment::bottom_right;
  const Extent extent = given.mask->extent();
  RulePlan plan;
  plan.probes.push_back({columns_beyond(extent, right ? extent.cols - extent.rows : 0), false, true});
  plan.conclude = [right](const Tallies& tallies, std::vector<Finding>& out) {
    const CellTally& lost = tallies.cells[0];
    const std::string twice = "attn_mask and is_causal=True mask twice, torch SDPA refuses the two together";
    if (lost.wrong == 0)
      out.push_back(finding(Severity::warning, {}, {}, twice + "; here no visible key is lost"));
    else
      out.push_back(cell_finding(Severity::error, lost,
                                 "row " + to_text(lost.row) + " would lose key " + to_text(lost.key) + ": " + twice +
                                     ", and is_causal is aligned " + (right ? "bottom-right" : "top-left")));
  };
  return plan;
}

/// The most negative number of the fill's dtype is -inf in a narrower one.
bool becomes_infinite(const std::string& dialect, const std::string& dtype) {
  if (dialect == "additive_f32") return dtype != "float32";
  return dialect == "additive_bf16" && dtype == "float16";
}

/// Cells that causal and padding both mask, when each is a plane of its own.
CellTally in_both_planes(const ContractCase& given) {
  const SequenceLayout& layout = given.layout;
  const Extent extent{layout.q_length(), layout.kv_length()};
  const Region future = columns_beyond(extent, layout.query_source() == QuerySource::keys ? layout.past_len() : 0);
  Region padding;
  for (const TokenRun& run : layout.kv_runs())
    if (!run.valid)
      padding.push_back({{0, extent.rows}, Ramp::constant(run.tokens.begin), Ramp::constant(run.tokens.end)});
  CellTally tally;
  CountBudget unlimited;
  tally.wrong = common_cells(padding, future, {0, extent.rows}, unlimited);
  if (tally.wrong == 0) return tally;
  // Later rows have fewer keys ahead, so the first row has one if any has.
  const Index ahead = future.front().lo.at(0);
  tally.row = 0;
  tally.key = std::max(ahead, padding.front().lo.low);
  return tally;
}

void summed_planes(const ContractCase& given, std::vector<Finding>& out) {
  const CellTally tally = in_both_planes(given);
  if (tally.wrong == 0) return;
  const bool half = given.dtype == "float16";
  out.push_back(cell_finding(Severity::warning, tally,
                             "row " + to_text(tally.row) + ", key " + to_text(tally.key) +
                                 " is masked by causal and by padding: two times finfo(" + given.dtype + ").min is " +
                                 (half ? "-131008" : "beyond the dtype") +
                                 " and overflows to -inf; a row of -inf alone is NaN"));
}

RulePlan additive_overflow(const ContractCase& given) {
  const Dialect* dialect = find_dialect(given.dialect);
  const bool added = dialect && dialect->polarity == MaskPolarity::added;
  if (!given.summed && !added) return not_asked("no additive mask is said");
  RulePlan plan;
  plan.conclude = [&given, added](const Tallies& tallies, std::vector<Finding>& out) {
    if (given.summed && given.objective != Objective::cross && given.objective != Objective::bidirectional)
      summed_planes(given, out);
    if (!added || !becomes_infinite(given.dialect, given.dtype)) return;
    const bool empty = tallies.rows.real + tallies.rows.padding > 0;
    const std::uint64_t rows = tallies.rows.real + tallies.rows.padding;
    out.push_back(finding(empty ? Severity::error : Severity::warning, {}, {},
                          find_dialect(given.dialect)->fill + " is -inf in " + given.dtype +
                              (empty ? ", so " + counted(rows, "row") + " without a visible key are NaN" : "")));
  };
  return plan;
}

RulePlan window_argument(const ContractCase& given) {
  const Dialect* dialect = find_dialect(given.dialect);
  const auto* meaning =
      find_window_meaning(given.window_meaning.empty() && dialect ? dialect->window : given.window_meaning);
  if (!meaning || !given.window_argument || !given.window)
    return not_asked("a window, window_argument and window_meaning or dialect are needed");
  RulePlan plan;
  plan.conclude = [&given, meaning](const Tallies&, std::vector<Finding>& out) {
    const Index keys = meaning->keys(*given.window_argument);
    if (keys == *given.window) return;
    const auto right = window_argument_for(*meaning, *given.window);
    out.push_back(finding(Severity::error, {}, {},
                          meaning->title + " keeps " + counted(static_cast<std::uint64_t>(keys), "key") + " at " +
                              to_text(*given.window_argument) + " (" + meaning->rule + "), wanted " +
                              to_text(*given.window) + (right ? ": give " + to_text(*right) : "")));
  };
  return plan;
}

RulePlan dialect_says(const ContractCase& given) {
  const Dialect* dialect = find_dialect(given.dialect);
  if (!dialect) return not_asked("no dialect is said");
  MaskStructure wanted = wanted_structure(given);
  const auto mask = structure_mask(wanted, given.layout);
  std::vector<Band> scratch;
  const auto bands = mask->bands({0, mask->extent().rows}, scratch);
  RulePlan plan;
  plan.probes.push_back({{bands.begin(), bands.end()}, true});
  plan.probes.push_back({every_cell(given), false});
  plan.conclude = [&given, dialect, wanted](const Tallies& tallies, std::vector<Finding>& out) mutable {
    const CellTally& same = tallies.cells[0];
    wanted.exact = same.wrong == 0 && tallies.cells[1].wrong == same.region;
    const auto coverage = dialect_coverage(*dialect, wanted, given.layout);
    if (coverage.says_all()) return;
    std::string list;
    for (const auto& what : coverage.cannot) list += (list.empty() ? "" : ", ") + what;
    out.push_back(finding(Severity::error, {}, {}, dialect->title + " cannot say this mask: " + list));
  };
  return plan;
}

RulePlan labels(const ContractCase& given) {
  if (given.labels.empty()) return not_asked("no labels given");
  RulePlan plan;
  plan.conclude = [&given](const Tallies&, std::vector<Finding>& out) {
    const auto counts = [&](Index q) { return given.labels[static_cast<std::size_t>(q)] != no_loss; };
    std::uint64_t padded = 0;
    std::uint64_t learned = 0;
    std::vector<Range> padded_rows;
    std::vector<Range> start_rows;
    for (const TokenRun& run : given.layout.q_runs()) {
      for (Index q = run.tokens.begin; q < run.tokens.end; ++q) {
        if (!counts(q)) continue;
        ++(run.valid ? learned : padded);
        if (!run.valid) add_token(q, padded_rows);
      }
      if (run.valid && run.document > 0 && run.first == 0 && counts(run.tokens.begin))
        add_token(run.tokens.begin, start_rows);
    }
    if (padded > 0) {
      const Index first = padded_rows.front().begin;
      out.push_back(finding(Severity::error, first, {},
                            "query " + to_text(first) + " is padding, but its label counts in the loss: wanted -100",
                            padded, "label"));
      out.back().rows = padded_rows;
    }
    if (learned == 0)
      out.push_back(finding(Severity::warning, {}, {}, "no real token has a label: nothing is learned"));
    if (start_rows.empty() || given.objective != Objective::causal) return;
    const Index start = start_rows.front().begin;
    out.push_back(finding(Severity::warning, start, {},
                          "the label of query " + to_text(start) +
                              ", the first of its document, is predicted from the document before once labels are "
                              "shifted by one: wanted -100",
                          token_count(start_rows), "label"));
    out.back().rows = start_rows;
  };
  return plan;
}

RulePlan block_mask(const ContractCase& given) {
  if (!given.block_mask) return not_asked("the lengths of a block mask are not said");
  RulePlan plan;
  plan.conclude = [&given](const Tallies&, std::vector<Finding>& out) {
    if (const auto warning = block_mask_reuse(*given.block_mask, given.mask->extent()))
      out.push_back(finding(Severity::error, {}, {}, *warning));
  };
  return plan;
}

}  // namespace

std::vector<ContractRule> handover_rules() {
  return {
      {{"dialect_polarity", "Polarity against the dialect's", "True means in the mask what it means to the library.",
        "pytorch#170415, TransformerEngine#614"},
       dialect_polarity},
      {{"zero_one_mask", "A 0/1 float mask", "A float mask that is added holds 0 and a large negative number.",
        "torch SDPA: a float attn_mask is added to the score"},
       zero_one_mask},
      {{"double_masking", "Masked twice", "attn_mask and is_causal are not given together.",
        "torch SDPA; pytorch#108108"},
       double_masking},
      {{"additive_overflow", "Additive values overflow", "Sums and casts of the fill stay finite in the scores' dtype.",
        "NeMo#2658"},
       additive_overflow},
      {{"window_argument", "Window argument off", "The library's number keeps as many keys as are wanted.",
        "transformers#39408, vllm#3385; FlashAttention: both ends inclusive"},
       window_argument},
      {{"dialect_cannot", "Dialect cannot say it", "The dialect's arguments can say this mask.",
        "documentation of each library"},
       dialect_says},
      {{"block_mask_reuse", "Block mask of other lengths", "A block mask is made for the lengths it is used with.",
        "PyTorch, torch.nn.attention.flex_attention: create_block_mask(Q_LEN, KV_LEN)"},
       block_mask},
      {{"labels", "Labels against padding", "Padding and the first token of a packed document have no loss.",
        "Hugging Face: ignore_index -100"},
       labels},
  };
}

}  // namespace vqscope
