// SPDX-License-Identifier: GPL-3.0-or-later
// Masks over two copies of the tokens: block diffusion, and blocks of draft tokens behind their contexts.
// Trees of draft tokens (Medusa, EAGLE): each sees its ancestors, and the whole context before the tree.
#include "core/base/sentence.h"
#include "core/mask/recognise/mask_rows.h"
#include "core/mask/recognise/pattern/pattern_input.h"

namespace vqscope {
namespace {

/// Which copy comes first, and whether the clean one is causal by blocks or by tokens.
MaskPattern diffusion(Index half, Index block, bool noisy_first, bool by_tokens) {
  const char* noisy = noisy_first ? "<" : ">=";
  const char* clean = noisy_first ? ">=" : "<";
  const std::string q = fmt::format("q_idx % {} // {}", half, block);
  const std::string k = fmt::format("kv_idx % {} // {}", half, block);
  const std::string before = by_tokens ? "kv_idx <= q_idx" : fmt::format("{} <= {}", k, q);
  MaskPattern made{.kind = MaskKind::block_diffusion};
  made.terms = {fmt::format("block diffusion in blocks of {}: noisy copy of {} {} the clean one{}", block,
                            tokens_text(half), noisy_first ? "before" : "behind",
                            by_tokens ? ", which is causal" : "")};
  made.condition = fmt::format(
      "(((q_idx {} {}) & (kv_idx {} {}) & ({} == {})) | ((q_idx {} {}) & (kv_idx {} {}) & ({} < {})) | "
      "((q_idx {} {}) & (kv_idx {} {}) & ({})))",
      noisy, half, noisy, half, k, q, noisy, half, clean, half, k, q, clean, half, clean, half, before);
  made.size = 6;
  return made;
}

/// The row of a draft token: of the context the keys before its anchor, of the drafts those of its
/// own block.
struct DraftRow {
  Index anchor = 0;
  Range own;
};

std::optional<DraftRow> draft_row(std::span<const Range> row, Index context) {
  DraftRow found;
  for (const Range& seen : row) {
    if (const Range before{seen.begin, std::min(seen.end, context)}; before.size() > 0) {
      if (before.begin != 0) return {};
      found.anchor = before.end;
    }
    const Range own{std::max(seen.begin, context), seen.end};
    if (own.size() <= 0) continue;
    if (found.own.size() > 0) return {};
    found.own = own;
  }
  return found;
}

/// "[3, 5, 10]", one a block.
std::string anchors_text(const std::vector<Index>& anchors, const std::vector<Index>& ids) {
  std::string text;
  std::size_t listed = 0;
  for (std::size_t q = 0; q < ids.size(); ++q) {
    if (q > 0 && ids[q] == ids[q - 1]) continue;
    if (listed++ < most_listed) text += (text.empty() ? "" : ", ") + to_text(anchors[q]);
  }
  return listed > most_listed ? fmt::format("[{}, …]", text) : fmt::format("[{}]", text);
}

/// The common length of blocks that begin where the drafts do; 0 where there is none.
Index equal_length(const std::vector<Index>& ids) {
  const Index length = static_cast<Index>(std::ranges::upper_bound(ids, 0) - ids.begin());
  for (std::size_t q = 0; q < ids.size(); ++q)
    if (ids[q] != static_cast<Index>(q) / length) return 0;
  return length;
}

/// Anchors at the beginning of the own block, or at its number.
std::string context_condition(const std::vector<Index>& anchors, Index context, Index length) {
  const bool all = std::ranges::all_of(anchors, [&](Index anchor) { return anchor == context; });
  if (all) return fmt::format("(kv_idx < {})", context);
  bool by_block = length > 0;
  for (std::size_t q = 0; q < anchors.size(); ++q)
    by_block = by_block && anchors[q] == static_cast<Index>(q) / length * length;
  if (by_block) return fmt::format("((kv_idx < {}) & (kv_idx // {} < q_idx // {}))", context, length, length);
  return fmt::format("((kv_idx < {}) & (kv_idx < anchor[q_idx]))", context);
}

constexpr Index most_drafts = 4096;

/// The parent of each draft, all of which see themselves; empty: some do not.
std::vector<Index> parents_of(const PatternInput& input, Index context) {
  std::vector<Index> parents;
  bool right = true;
  const bool read = input.for_each_row({0, input.tokens()}, [&](Index token, std::span<const Range> row) {
    const auto parent = right ? draft_parent(token, row, context) : std::nullopt;
    right = right && parent && token == context + static_cast<Index>(parents.size());
    if (right) parents.push_back(*parent);
  });
  const bool all = read && right && static_cast<Index>(parents.size()) == input.extent().rows;
  return all ? parents : std::vector<Index>();
}

/// "[-, 0, 0, 1]"
std::string parents_text(const std::vector<Index>& parents) {
  std::string text;
  for (std::size_t i = 0; i < parents.size() && i < most_listed; ++i)
    text += (i > 0 ? ", " : "") + (parents[i] < 0 ? std::string("-") : to_text(parents[i]));
  return parents.size() > most_listed ? fmt::format("[{}, …]", text) : fmt::format("[{}]", text);
}

/// The order in which a walk through the tree enters each token, and where it leaves the token's
/// descendants.
void add_walk(const std::vector<Index>& parents, Index context, MaskPattern& made) {
  const std::size_t count = parents.size();
  std::vector<Index> sizes(count, 1);
  for (std::size_t i = count; i-- > 0;)
    if (parents[i] >= 0) sizes[static_cast<std::size_t>(parents[i])] += sizes[i];
  std::vector<Index> enter(static_cast<std::size_t>(context), -1);
  std::vector<Index> leave = enter;
  std::vector<Index> next(count);
  Index next_root = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Index& place = parents[i] < 0 ? next_root : next[static_cast<std::size_t>(parents[i])];
    enter.push_back(place);
    leave.push_back(place + sizes[i]);
    next[i] = place + 1;
    place += sizes[i];
  }
  made.arrays = {{"enter", std::move(enter)}, {"leave", std::move(leave)}};
}

}  // namespace

void propose_block_diffusion(const PatternInput& input, std::vector<MaskPattern>& out) {
  const Extent extent = input.extent();
  if (input.past_len() != 0 || extent.rows != extent.cols || extent.rows % 2 != 0) return;
  const auto first = input.rows().row(0);
  if (first.size() != 1 || first.front().begin != 0 || first.front().size() > extent.rows / 2) return;
  for (const bool noisy_first : {true, false})
    for (const bool by_tokens : {false, true}) {
      const auto row = input.rows().row(noisy_first ? 0 : extent.rows / 2);
      if (!row.empty()) out.push_back(diffusion(extent.rows / 2, row.front().size(), noisy_first, by_tokens));
    }
}

void propose_draft_blocks(const PatternInput& input, std::vector<MaskPattern>& out) {
  const Extent extent = input.extent();
  const Index context = extent.cols - extent.rows;
  if (input.past_len() != context || context < 1) return;
  std::vector<Index> anchors;
  std::vector<Index> ids;
  Index begin = -1;
  bool causal = true;
  bool right = true;
  const bool read = input.for_each_row({0, input.tokens()}, [&](Index token, std::span<const Range> row) {
    const auto found = draft_row(row, context);
    right = right && found && found->own.contains(token);
    if (!right) return;
    causal = causal && found->own.end == token + 1;
    anchors.push_back(found->anchor);
    ids.push_back(ids.empty() ? 0 : ids.back() + (found->own.begin != begin ? 1 : 0));
    begin = found->own.begin;
  });
  if (!read || !right || static_cast<Index>(ids.size()) != extent.rows || ids.back() == 0) return;
  const Index length = equal_length(ids);
  MaskPattern made{.kind = MaskKind::draft_blocks};
  const std::string before = context_condition(anchors, context, length);
  made.terms = {fmt::format("{}draft blocks{} over a context of {}, each sees the context before {}",
                            causal ? "causal " : "", length > 0 ? " of " + to_text(length) : "", tokens_text(context),
                            anchors_text(anchors, ids))};
  const std::string same = length > 0 ? fmt::format("((kv_idx - {}) // {} == q_idx // {})", context, length, length)
                                      : fmt::format("(draft_id[kv_idx] == draft_id[{}])", input.token());
  const std::string own = fmt::format("(kv_idx >= {}) & {}{}", context, same,
                                      causal ? fmt::format(" & (kv_idx <= {})", input.token()) : "");
  made.condition = fmt::format("({} | ({}))", before, own);
  made.size = 4 + ids.back();
  std::vector<Index> drafts(static_cast<std::size_t>(context), -1);
  drafts.insert(drafts.end(), ids.begin(), ids.end());
  if (length == 0) made.arrays.push_back({"draft_id", drafts});
  made.spans = MaskSpans{.ids = std::move(drafts)};
  if (before.find("anchor") != std::string::npos) made.arrays.push_back({"anchor", anchors});
  out.push_back(std::move(made));
}

void propose_draft_tree(const PatternInput& input, std::vector<MaskPattern>& out) {
  const Extent extent = input.extent();
  const Index context = extent.cols - extent.rows;
  if (context < 0 || input.past_len() != context || extent.rows > most_drafts) return;
  const auto parents = parents_of(input, context);
  Index jumps = 0;
  for (std::size_t i = 1; i < parents.size(); ++i) jumps += parents[i] != static_cast<Index>(i) - 1 ? 1 : 0;
  if (jumps == 0) return;
  MaskPattern made{.kind = MaskKind::draft_tree};
  made.terms = {fmt::format("tree of {} drafts{}, parents {}", parents.size(),
                            context > 0 ? " over a context of " + tokens_text(context) : "", parents_text(parents))};
  const std::string& q = input.token();
  made.condition = fmt::format("(enter[kv_idx] <= enter[{}]) & (enter[{}] < leave[kv_idx])", q, q);
  if (context > 0) made.condition = fmt::format("((kv_idx < {}) | ({}))", context, made.condition);
  made.size = 5 + jumps;
  add_walk(parents, context, made);
  out.push_back(std::move(made));
}

}  // namespace vqscope
