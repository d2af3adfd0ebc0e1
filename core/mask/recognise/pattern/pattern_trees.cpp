// SPDX-License-Identifier: GPL-3.0-or-later
// Trees of draft tokens (Medusa, EAGLE): each sees its ancestors, and the whole context before the tree.
#include "core/base/sentence.h"
#include "core/mask/recognise/mask_rows.h"
#include "core/mask/recognise/pattern/pattern_input.h"

namespace vqscope {
namespace {

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

/// The order in which a walk through the tree enters each token, and where it leaves the token's descendants.
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
