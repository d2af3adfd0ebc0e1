// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/backend.h"
#include "core/base/sentence.h"
#include "core/lint/lint_plan.h"
#include "core/lint/lint_regions.h"
#include "core/method/shared/number_type.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace vqscope {
namespace {

/// A rule that requires one region to be masked, or visible.
RulePlan one_probe(CellSet region, bool visible, std::function<std::string(const CellTally&)> sentence) {
  RulePlan plan;
  plan.probes.push_back({std::move(region), visible, true});
  plan.conclude = [sentence = std::move(sentence)](const Tallies& tallies, std::vector<Finding>& out) {
    const CellTally& tally = tallies.cells[0];
    if (tally.wrong > 0) out.push_back(cell_finding(Severity::error, tally, sentence(tally)));
  };
  return plan;
}

RulePlan polarity(const LintCase& given) {
  if (const auto why = unknown_keys(given); !why.empty()) return skipped(why);
  if (given.sparse || given.branches) return skipped("the expected keys are not known");
  RulePlan plan;
  plan.probes.push_back({wanted_keys(given), true});
  plan.probes.push_back({real_queries(given.layout), false});
  plan.conclude = [](const Tallies& tallies, std::vector<Finding>& out) {
    const CellTally& masked = tallies.cells[0];  // of the expected cells
    const CellTally& seen = tallies.cells[1];    // of all cells
    // A mask that shows nothing at all is empty, not inverted.
    const bool all_masked = masked.region > 0 && masked.wrong == masked.region && seen.wrong > 0;
    if (!all_masked || seen.wrong != seen.region - masked.region) return;
    out.push_back(finding(Severity::error, masked.row, masked.key,
                          fmt::format("row {} does not see key {}: every expected key is masked and every other key "
                                      "visible, so the polarity is inverted",
                                      masked.row, masked.key),
                          masked.wrong, "cell"));
  };
  return plan;
}

/// Conditions that would allow a key ahead.
std::string beyond(const LintCase& given) {
  if (given.objective == Objective::prefix) return fmt::format(" and beyond the prefix of {}", *given.prefix_length);
  if (given.objective == Objective::causal_spans) return " and not in the query's span";
  return {};
}

/// The position of a token of a draft block or its context.
Index block_position(const std::vector<Index>& ids, Index token) { return ids[static_cast<std::size_t>(token)]; }

std::string future_sentence(const LintCase& given, const CellTally& tally) {
  if (looks_by_chunks(given.objective))
    return fmt::format("{}: {}, beyond the chunk of {}{}", seen_cell(tally), positions_text(given, tally, "and"),
                       *given.chunk,
                       given.right_frames > 0 ? fmt::format(" and {} frames after it", given.right_frames) : "");
  const std::string ahead =
      given.window_right ? fmt::format(", window_right is {}", *given.window_right) : std::string();
  return fmt::format("{}: {}{}{}, the objective is {}", seen_cell(tally), positions_text(given, tally, ">"),
                     beyond(given), ahead, objective_name(given.objective));
}

std::string block_sentence(const LintCase& given, const CellTally& tally) {
  const auto block =
      std::ranges::find_if(given.draft_blocks, [&](const DraftBlock& b) { return b.rows.contains(tally.row); });
  return fmt::format("{}, the context at position {}: the draft block of row {} predicts positions {} to {}",
                     seen_cell(tally), block_position(given.kv_position_ids, tally.key), tally.row, block->anchor,
                     block->anchor + block->rows.size() - 1);
}

/// Draft blocks must see neither the context at the positions they predict, nor each other.
RulePlan draft_future(const LintCase& given) {
  RulePlan plan;
  plan.probes.push_back({positions_to_predict(given), false, true});
  plan.probes.push_back({other_blocks(given), false, true});
  plan.conclude = [&given](const Tallies& tallies, std::vector<Finding>& out) {
    const CellTally& context = tallies.cells[0];
    const CellTally& other = tallies.cells[1];
    if (context.wrong > 0) out.push_back(cell_finding(Severity::error, context, block_sentence(given, context)));
    if (other.wrong > 0)
      out.push_back(cell_finding(Severity::error, other, seen_cell(other) + " of another draft block"));
  };
  return plan;
}

RulePlan future_visible(const LintCase& given) {
  if (!looks_back(given.objective) && !looks_by_chunks(given.objective))
    return skipped("the objective is " + objective_name(given.objective));
  if (given.objective == Objective::prefix && !given.prefix_length)
    return only_question(
        "the objective is prefix: set prefix_length, the leading positions that see each other both ways",
        {suggest("prefix_length")});
  if (looks_by_chunks(given.objective) && !given.chunk)
    return only_question(fmt::format("the objective is {}: set chunk, the number of positions of a chunk",
                                     objective_name(given.objective)),
                         {suggest("chunk")});
  if (const auto why = unknown_keys(given); !why.empty()) return skipped(why);
  if (!given.draft_blocks.empty()) return draft_future(given);
  RulePlan plan;
  plan.probes.push_back({forbidden_future(given), false, true, [&given] { return given.extra_keys; }});
  const Extent extent = given.mask->extent();
  plan.probes.push_back({columns_beyond(extent, extent.cols - extent.rows), false});
  plan.conclude = [&given](const Tallies& tallies, std::vector<Finding>& out) {
    const CellTally& ahead = tallies.cells[0];
    if (ahead.wrong == 0) return;
    // A query that is the last key, as in decoding, sees nothing ahead; the rule key_offset has the
    // question which key it is.
    if (given.extra_keys && tallies.cells[1].wrong == 0) return;
    out.push_back(cell_finding(Severity::error, ahead, future_sentence(given, ahead)));
  };
  return plan;
}

RulePlan key_offset(const LintCase& given) {
  if (!given.extra_keys || !looks_back(given.objective))
    return skipped("the position of the queries among the keys is given");
  const Extent extent = given.mask->extent();
  const Suggestion past_len = suggest("past_len", extent.cols - extent.rows);
  if (given.last_tokens)
    return only_question(fmt::format("past_len is not set, and each query sees the keys up to its place among the last "
                                     "tokens, so past_len={0} is assumed: set past_len={0}",
                                     extent.cols - extent.rows),
                         {past_len});
  return only_question(
      fmt::format("kv_length is {} and past_len 0, so query 0 is taken for key 0 and keys {} to {} for empty slots: "
                  "set past_len={} if the queries are the last tokens",
                  extent.cols, extent.rows, extent.cols - 1, extent.cols - extent.rows),
      {past_len});
}

RulePlan padding_visible(const LintCase& given) {
  if (padding_count(given.layout) == 0) return skipped("no padding");
  const bool slots = given.layout.has_slots();
  return one_probe(padding_keys(given.layout), false, [slots](const CellTally& tally) {
    return fmt::format("{}, which is {}", seen_cell(tally), slots ? "an empty slot" : "padding");
  });
}

RulePlan document_leak(const LintCase& given) {
  if (given.documents_missing && padding_count(given.layout) == 0)
    return only_question("the mask reads documents, and the sequence is one: set document_lengths, or document_id",
                         {suggest("document_lengths")});
  if (document_count(given.layout) < 2) return skipped("one document");
  return one_probe(other_documents(given.layout), false, [&given](const CellTally& tally) {
    return fmt::format("{}: document {} leaks into document {}", seen_cell(tally), given.layout.kv_document(tally.key),
                       given.layout.q_document(tally.row));
  });
}

RulePlan prefix_bidirectional(const LintCase& given) {
  if (given.objective != Objective::prefix) return skipped("the objective is " + objective_name(given.objective));
  if (!given.prefix_length) return skipped("prefix_length is not set");
  return one_probe(wanted_keys(given, WantedPart::ahead), true, [&given](const CellTally& tally) {
    return fmt::format("{}: both are in the prefix of {} ({})", hidden_cell(tally), *given.prefix_length,
                       positions_text(given, tally, "and"));
  });
}

/// The first key of a span that goes on behind keys of no span or of another one; nothing: all
/// spans are in one piece.
std::optional<Index> begins_again(const std::vector<Index>& spans) {
  std::set<Index> ended;
  for (std::size_t key = 1; key < spans.size(); ++key) {
    if (spans[key] == spans[key - 1]) continue;
    ended.insert(spans[key - 1]);
    if (spans[key] >= 0 && ended.contains(spans[key])) return static_cast<Index>(key);
  }
  return {};
}

RulePlan span_bidirectional(const LintCase& given) {
  if (given.objective != Objective::causal_spans) return skipped("the objective is " + objective_name(given.objective));
  if (given.spans.empty())
    return only_question("the objective is causal_spans: set span_ids, -1 for keys of no span", {suggest("span_ids")});
  RulePlan plan = one_probe(wanted_keys(given, WantedPart::ahead), true, [&given](const CellTally& tally) {
    return fmt::format("{}: both are in span {}, which sees itself both ways", hidden_cell(tally),
                       given.spans[static_cast<std::size_t>(tally.key)]);
  });
  if (const auto torn = !given.spans_set ? begins_again(given.spans) : std::nullopt)
    plan.conclude = [torn, found = plan.conclude](const Tallies& tallies, std::vector<Finding>& out) {
      found(tallies, out);
      out.push_back(question(fmt::format("keys from {} on and earlier ones see each other, and keys between them are "
                                         "of no such span (assumed): set span_ids, one index for each image",
                                         *torn),
                             {suggest("span_ids")}));
    };
  return plan;
}

/// The result of a row without visible keys.
struct EmptyRowFate {
  std::string text;
  bool nan = false;    ///< certainly NaN
  bool known = false;  ///< whether the kernel is known
};

EmptyRowFate empty_row_fate(const LintCase& given) {
  const std::string& id = given.backend;
  if (id == "sdpa") return {"zeros in torch SDPA from 2.5 on, NaN before", false, true};
  if (id == "flex_attention")
    return {"zeros in FlexAttention, NaN when compiled with ROWS_GUARANTEED_SAFE", false, true};
  if (id == "onnx_attention") return {"zeros in ONNX Attention", false, true};
  if (id == "jax") return {"uniform over all keys in JAX, masked ones too", false, true};
  if (id == "mlx") return {"unspecified in MLX", false, true};
  // A padding mask goes to whatever kernel the model uses.
  const auto* known = id == "padding_2d" ? nullptr : find_backend(id);
  const bool added = known && known->polarity == MaskPolarity::added;
  const bool infinite = std::ranges::any_of(
      given.mask_numbers, [&](double number) { return number_type(given.dtype).rounded(number) == -HUGE_VAL; });
  if (infinite || id == "additive_inf" || id == "mha") return {"NaN", true, true};
  if (added || !given.mask_numbers.empty()) return {"uniform over all keys, masked ones too", false, true};
  if (known && known->polarity == MaskPolarity::arguments) return {"zeros", false, true};
  if (known) return {"NaN", true, true};
  return {"NaN with -inf, zeros in torch SDPA from 2.5 on, uniform over all keys with finfo.min", false, false};
}

RulePlan empty_row(const LintCase& given) {
  RulePlan plan;
  const EmptyRowFate fate = empty_row_fate(given);
  for (const TokenRun& run : given.layout.q_runs())
    if (run.valid || fate.nan) plan.empty_rows_break.push_back(run.tokens);
  plan.conclude = [fate](const Tallies& tallies, std::vector<Finding>& out) {
    const RowTally& rows = tallies.rows;
    const auto sentence = [&](Index row, const char* of) {
      return fmt::format("row {} sees no key{}; its softmax is {}", row, of, fate.text);
    };
    if (rows.real > 0)
      out.push_back(finding(Severity::error, rows.first_real, {}, sentence(rows.first_real, ""), rows.real, "row"));
    if (rows.padding == 0 || (fate.known && !fate.nan)) return;
    const std::string padding = sentence(rows.first_padding, " and is padding");
    if (fate.known)
      out.push_back(finding(Severity::error, rows.first_padding, {}, padding, rows.padding, "row"));
    else
      out.push_back(question(padding + ": set dialect or masked_value", {suggest("dialect"), suggest("masked_value")}));
  };
  return plan;
}

}  // namespace

std::vector<LintRule> mask_rules() {
  return {
      {{"polarity_inverted", "Polarity inverted", "The mask is not the inverse of the expected mask.",
        "torch SDPA: True attends; nn.MultiheadAttention: True is masked"},
       polarity},
      {{"future_visible", "Future visible", "Under a causal objective, every visible key has kv_pos <= q_pos.",
        "Vaswani et al. 2017, section 3.2.3"},
       future_visible},
      {{"key_offset", "Which key a query is", "If there are more keys than queries, past_len is given.",
        "pytorch#108108; gpt-fast#233"},
       key_offset},
      {{"padding_visible", "Padding visible", "No real query sees a padding key or an empty cache slot.",
        "Vaswani et al. 2017; gpt-fast#233"},
       padding_visible},
      {{"empty_row", "Rows without a key", "Every row that enters a softmax has at least one visible key.",
        "pytorch#103963, mlx#2395"},
       empty_row},
      {{"document_leak", "Documents leak", "No query sees a key of another packed document.", "trl#784"},
       document_leak},
      {{"prefix_not_bidirectional", "Prefix not bidirectional", "Within the prefix every query sees every key.",
        "Raffel et al. 2020, section 3.2.1; transformers#31673"},
       prefix_bidirectional},
      {{"span_not_bidirectional", "Span not bidirectional",
        "Within a span, an image for example, every query sees every key.", "transformers#38080, llama.cpp#28318"},
       span_bidirectional},
  };
}

}  // namespace vqscope
