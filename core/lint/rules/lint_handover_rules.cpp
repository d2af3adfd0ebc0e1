// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/backend.h"
#include "core/base/sentence.h"
#include "core/lint/lint_hidden.h"
#include "core/lint/lint_plan.h"
#include "core/lint/lint_regions.h"
#include "core/mask/map/block_view.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The cells that is_causal=True makes visible, for real queries.
CellSet triangle(const LintCase& given, Index offset) {
  const Extent extent = given.mask->extent();
  CellSet region;
  for (const TokenRun& run : given.layout.q_runs())
    if (run.valid) region.append({run.tokens, Ramp::constant(0), {offset + 1, 0, extent.cols}});
  return region;
}

CellSet beyond_triangle(const LintCase& given, Index offset) {
  const CellSet beyond = columns_beyond(given.mask->extent(), offset);
  CellSet region;
  for (const TokenRun& run : given.layout.q_runs())
    if (run.valid) region.append(beyond.clipped({run.tokens, {0, given.mask->extent().cols}}));
  return region;
}

/// How a library takes is_causal=True.
enum class CausalFlag {
  refused_with_mask,  ///< torch SDPA
  hint,               ///< nn.MultiheadAttention: the mask must be given but may be ignored
  both,               ///< JAX: both are applied
  instead,            ///< flash-attention, xFormers: there is no mask
  none,               ///< no such argument
};

CausalFlag causal_flag(const Backend* backend) {
  if (!backend || backend->id == "sdpa" || backend->polarity == MaskPolarity::added)
    return CausalFlag::refused_with_mask;
  if (backend->id == "mha") return CausalFlag::hint;
  if (backend->id == "jax") return CausalFlag::both;
  return backend->polarity == MaskPolarity::arguments ? CausalFlag::instead : CausalFlag::none;
}

std::string lost_sentence(const CellTally& lost, bool right) {
  return fmt::format("row {} would lose key {}: is_causal is aligned {}", lost.row, lost.key,
                     right ? "bottom-right" : "top-left");
}

void conclude_causal(const LintCase& given, CausalFlag flag, bool right, const Tallies& tallies,
                     std::vector<Finding>& out) {
  const CellTally& lost = tallies.cells[0];
  const CellTally& shown = tallies.cells[1];
  const bool alone = !given.mask_given || flag == CausalFlag::instead;
  if (flag == CausalFlag::refused_with_mask && given.mask_given)
    return out.push_back(finding(Severity::error, {}, {},
                                 "attn_mask and is_causal=True are given: torch SDPA refuses the two together" +
                                     (lost.wrong > 0 ? ", and where they are combined " + lost_sentence(lost, right)
                                                     : "; give is_causal=True alone (attn_mask=none) or the mask")));
  if (flag == CausalFlag::hint && !given.mask_given)
    return out.push_back(
        finding(Severity::error, {}, {}, "nn.MultiheadAttention refuses is_causal=True without attn_mask"));
  if (lost.wrong > 0) out.push_back(cell_finding(Severity::error, lost, lost_sentence(lost, right)));
  const bool replaces = flag == CausalFlag::hint || (alone && flag != CausalFlag::instead);
  if (replaces && shown.wrong > 0)
    out.push_back(cell_finding(
        Severity::error, shown,
        fmt::format("{}, which is_causal=True {}", hidden_cell(shown),
                    flag == CausalFlag::hint ? "allows: the mask may be ignored" : "alone makes visible")));
}

RulePlan double_masking(const LintCase& given) {
  if (!given.is_causal) return skipped("is_causal is not set");
  const Backend* backend = find_backend(given.backend);
  const CausalFlag flag = causal_flag(backend);
  if (flag == CausalFlag::none) return skipped(backend->title + " takes no is_causal");
  const bool right = backend && backend->alignment == CausalAlignment::bottom_right;
  const Extent extent = given.mask->extent();
  const Index offset = right ? extent.cols - extent.rows : 0;
  RulePlan plan;
  plan.probes = {{beyond_triangle(given, offset), false, true}, {triangle(given, offset), true}};
  plan.conclude = [&given, flag, right](const Tallies& tallies, std::vector<Finding>& out) {
    conclude_causal(given, flag, right, tallies, out);
  };
  return plan;
}

/// "64 behind and 32 ahead".
std::string sides_text(Index left, Index right) {
  const auto side = [](Index reach) { return reach == any_distance ? std::string("all") : to_text(reach); };
  return fmt::format("{} behind and {} ahead", side(left), side(right));
}

/// A two-sided window.
std::optional<Finding> two_sided_window(const LintCase& given, const WindowMeaning& meaning) {
  const Index left = meaning.last(*given.window_argument);
  const Index right = meaning.both_ways ? left : given.window_argument_right.value_or(left);
  const Index wanted_left = reach_behind(given);
  const Index wanted_right = reach_ahead(given);
  const bool left_off = given.window_left && left != wanted_left;
  if (!left_off && (!given.window_right || right == wanted_right)) return {};
  return finding(Severity::error, {}, {},
                 fmt::format("{} keeps {} ({}), expected {}", meaning.title, sides_text(left, right), meaning.rule,
                             sides_text(wanted_left, wanted_right)));
}

RulePlan window_argument(const LintCase& given) {
  if (!given.window_argument) return skipped("window_argument is not set");
  const Backend* backend = find_backend(given.backend);
  const auto* meaning =
      find_window_meaning(given.window_meaning.empty() && backend ? backend->window : given.window_meaning);
  if (!meaning)
    return only_question("window_argument is set: also set window_meaning, or a dialect with a window",
                         {suggest("window_meaning"), suggest("dialect")});
  if (!wants_window(given))
    return only_question(
        "window_argument is set: also set window, or window_left and window_right",
        {suggest("window"), Suggestion{{SuggestedValue{"window_left"}, SuggestedValue{"window_right"}}}});
  RulePlan plan;
  plan.conclude = [&given, meaning](const Tallies&, std::vector<Finding>& out) {
    if (!looks_back(given.objective) || !given.window) {
      if (auto off = two_sided_window(given, *meaning)) out.push_back(std::move(*off));
      return;
    }
    const Index keys = meaning->keys(*given.window_argument);
    if (keys == *given.window) return;
    const auto right = window_argument_for(*meaning, *given.window);
    out.push_back(finding(Severity::error, {}, {},
                          fmt::format("{} keeps {} at {} ({}), expected {}{}", meaning->title,
                                      counted(static_cast<std::uint64_t>(keys), "key"), *given.window_argument,
                                      meaning->rule, *given.window, right ? fmt::format(": give {}", *right) : "")));
  };
  return plan;
}

/// Whether the backend takes the expected chunks: a query's own chunk alone is a document of packed
/// arguments, chunks beside it make one range of keys for all queries of a chunk.
bool expresses_chunks(const Backend& backend, const LintCase& given) {
  if (looks_by_chunks(given.objective))
    return backend.query_blocks && document_count(given.layout) < 2 && padding_count(given.layout) == 0;
  return backend.documents;
}

/// Parts of the expected mask outside of MaskStructure that the backend's arguments cannot express.
std::vector<std::string> inexpressible(const Backend& backend, const LintCase& given) {
  std::vector<std::string> list;
  if (backend.dense) return list;
  if (given.objective == Objective::causal_spans) list.emplace_back("spans");
  if (given.chunk && !expresses_chunks(backend, given)) list.push_back(fmt::format("chunks of {}", *given.chunk));
  if (given.sinks > 0) list.push_back(fmt::format("{} sinks", given.sinks));
  if (backend.window.empty() && wants_window(given) && !given.window) list.emplace_back("window");
  return list;
}

RulePlan backend_expresses(const LintCase& given) {
  const Backend* backend = find_backend(given.backend);
  if (!backend) return skipped("dialect is not set");
  if (const auto why = unknown_keys(given); !why.empty()) return skipped(why);
  RulePlan plan;
  plan.probes = {{wanted_keys(given), true}, {real_queries(given.layout), false}};
  plan.conclude = [&given, backend](const Tallies& tallies, std::vector<Finding>& out) {
    const CellTally& same = tallies.cells[0];
    MaskStructure wanted = wanted_structure(given);
    wanted.exact = same.wrong == 0 && tallies.cells[1].wrong == same.region;
    if (!wanted.exact && !backend->dense && (given.objective_assumed || hidden_on_purpose(given)))
      return out.push_back(question(backend->title + " cannot be checked until the expected mask is set", {}));
    const auto coverage = backend_coverage(*backend, wanted, given.layout);
    std::vector<std::string> cannot = coverage.cannot;
    if (wanted.exact)
      for (auto& what : inexpressible(*backend, given)) cannot.push_back(std::move(what));
    // Causal and window come from the model's configuration.
    if (backend->id == "padding_2d")
      std::erase_if(cannot, [](const std::string& what) { return what == "causal" || what.starts_with("window"); });
    if (cannot.empty()) return;
    out.push_back(finding(Severity::error, {}, {},
                          fmt::format("{} cannot express this mask: {}", backend->title, join(cannot, ", "))));
  };
  return plan;
}

RulePlan block_mask(const LintCase& given) {
  if (!given.block_mask) return skipped("the lengths of a block mask are not set");
  RulePlan plan;
  plan.conclude = [&given](const Tallies&, std::vector<Finding>& out) {
    if (const auto warning = block_mask_reuse(*given.block_mask, given.mask->extent()))
      out.push_back(finding(Severity::error, {}, {}, *warning));
  };
  return plan;
}

RulePlan block_mask_broadcast(const LintCase& given) {
  if (!given.reads_b && !given.reads_h) return skipped("the mask's text reads neither b nor h");
  const bool b_missing = given.reads_b && !given.block_mask_batch;
  const bool h_missing = given.reads_h && !given.block_mask_heads;
  if (given.backend == "flex_attention" && (b_missing || h_missing))
    return only_question(fmt::format("the text reads {}, the size the block mask was created for; 1 for None",
                                     b_missing ? "b: set block_mask_batch" : "h: set block_mask_heads"),
                         {suggest(b_missing ? "block_mask_batch" : "block_mask_heads")});
  RulePlan plan;
  plan.conclude = [&given](const Tallies&, std::vector<Finding>& out) {
    if (given.reads_b && given.block_mask_batch == 1 && given.batch_size != 1)
      out.push_back(finding(Severity::error, {}, {},
                            "the text reads b and the block mask was created with B=None: every row of the batch gets "
                            "row 0's mask; give B=batch_size"));
    if (given.reads_b && given.block_mask_batch.value_or(1) != 1 && given.batch_size &&
        given.batch_size != given.block_mask_batch)
      out.push_back(finding(Severity::error, {}, {},
                            fmt::format("the block mask was created for a batch of {} and is used with {}",
                                        *given.block_mask_batch, *given.batch_size)));
    if (given.reads_h && given.block_mask_heads == 1)
      out.push_back(
          finding(Severity::error, {}, {},
                  "the text reads h and the block mask was created with H=None: every head gets head 0's mask; "
                  "give H=num_heads"));
  };
  return plan;
}

/// [0, ends of the documents among the real keys].
std::vector<Index> expected_cu_seqlens(const SequenceLayout& layout) {
  std::vector<Index> sums{0};
  for (const TokenRun& run : layout.kv_runs())
    if (run.valid) sums.push_back(sums.back() + run.tokens.size());
  return sums;
}

/// Sequences of no tokens, which kernels allow, left out: a batch of fixed size repeats the end.
std::vector<Index> without_empty_sequences(std::vector<Index> sums) {
  sums.erase(std::unique(sums.begin(), sums.end()), sums.end());
  return sums;
}

std::string cu_seqlens_sentence(const LintCase& given, const std::vector<Index>& wanted) {
  const auto& all = given.cu_seqlens;
  if (all.front() != 0) return fmt::format("cu_seqlens begins at {} but must begin at 0", all.front());
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i] < all[i - 1])
      return fmt::format("cu_seqlens[{}] is {} after {} but must not decrease", i, all[i], all[i - 1]);
  const auto sums = without_empty_sequences(all);
  if (sums.back() != wanted.back())
    return fmt::format(
        "cu_seqlens ends at {}, but there are {} real tokens: a kernel would read past the end or leave tokens out",
        sums.back(), wanted.back());
  const auto [ours, theirs] = std::ranges::mismatch(wanted, sums);
  const auto document = static_cast<Index>(ours - wanted.begin());
  const auto place = std::ranges::find(all, *theirs) - all.begin();
  return fmt::format("cu_seqlens[{}] is {}, but document {} ends at {}", place, *theirs, document - 1, *ours);
}

/// `sums`: those of documents that the sequence does not have.
Finding documents_question(const std::vector<Index>& sums) {
  std::vector<Index> lengths;
  for (std::size_t i = 1; i < sums.size(); ++i) lengths.push_back(sums[i] - sums[i - 1]);
  const auto documents = lengths.size();
  const Suggestion set = suggest("document_lengths", std::move(lengths));
  return question(fmt::format("cu_seqlens has {} documents: set {}", documents, set.words()), {set});
}

RulePlan cu_seqlens(const LintCase& given) {
  if (given.cu_seqlens.empty()) return skipped("cu_seqlens is not given");
  RulePlan plan;
  plan.conclude = [&given](const Tallies&, std::vector<Finding>& out) {
    const auto wanted = expected_cu_seqlens(given.layout);
    const auto sums = without_empty_sequences(given.cu_seqlens);
    if (sums == wanted) return;
    const bool grows = std::ranges::is_sorted(given.cu_seqlens) && given.cu_seqlens.front() == 0;
    if (grows && given.cu_seqlens.back() == wanted.back() && document_count(given.layout) < 2)
      return out.push_back(documents_question(sums));
    out.push_back(finding(Severity::error, {}, {}, cu_seqlens_sentence(given, wanted)));
  };
  return plan;
}

}  // namespace

std::vector<LintRule> handover_rules() {
  return {
      {{"double_masking", "is_causal", "is_causal=True is given without a mask, and is equivalent to the mask.",
        "torch SDPA; pytorch#108108; accelerate#4177"},
       double_masking},
      {{"window_argument", "Window argument off", "The library's window argument keeps the expected number of keys.",
        "transformers#39408, transformers#40700, vllm#3385; FlashAttention: both ends inclusive"},
       window_argument},
      {{"dialect_cannot", "Backend cannot express the mask", "The backend's arguments can express this mask.",
        "documentation of each library"},
       backend_expresses},
      {{"block_mask_reuse", "Block mask for other lengths", "A block mask is used with the lengths it was created for.",
        "PyTorch, torch.nn.attention.flex_attention: create_block_mask(Q_LEN, KV_LEN)"},
       block_mask},
      {{"block_mask_broadcast", "Block mask shared across batch or heads",
        "A mask_mod that reads b or h gets a block mask with B or H set.", "attention-gym#98"},
       block_mask_broadcast},
      {{"cu_seqlens", "cu_seqlens off", "cu_seqlens contain 0 and the end of each document.",
        "transformers#44911; flash-attention, flash_attn_varlen_func"},
       cu_seqlens},
  };
}

}  // namespace vqscope
