// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/stated_positions.h"

#include "core/base/sentence.h"
#include "core/mask/layout_regions.h"
#include "core/mask/recognise/mask_rows.h"

#include <algorithm>
#include <map>

namespace vqscope {
namespace {

constexpr std::size_t most_tree_queries = 1024;
constexpr Index most_row_reads = Index{1} << 24;    // steps of reading the rows of all queries
constexpr Index most_draft_steps = Index{1} << 26;  // blocks times context keys

/// Three equal axes, as in multimodal RoPE, count as one; of different ones the first is used.
std::vector<Index> one_axis(std::vector<Index> ids, Index q_length, Index kv_length, bool& axes_differ) {
  const auto length = static_cast<Index>(ids.size());
  if (length == 0 || length == q_length || length == kv_length) return ids;
  if (length != 3 * q_length && length != 3 * kv_length) return ids;
  const auto axis = static_cast<std::ptrdiff_t>(length / 3);
  axes_differ = !std::equal(ids.begin(), ids.end() - axis, ids.begin() + axis);
  ids.resize(static_cast<std::size_t>(axis));
  return ids;
}

/// Whether a context key stands at a position of the block: hidden states of tokens that the block
/// predicts.
bool context_covers(const DraftBlock& block, std::span<const Index> context) {
  return std::ranges::any_of(
      context, [&](Index position) { return block.anchor <= position && position < block.anchor + block.rows.size(); });
}

/// Blocks that continue at the position after a block before them are one run: the most frequent
/// length of a run is that of a block if all others are multiples of it.
void split_runs(std::vector<DraftBlock>& blocks) {
  std::map<Index, Index> counts;
  for (const DraftBlock& run : blocks) ++counts[run.rows.size()];
  const Index length = std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; })->first;
  const auto is_whole = [&](const DraftBlock& run) { return run.rows.size() % length == 0; };
  if (length == 1 || !std::ranges::all_of(blocks, is_whole)) return;
  std::vector<DraftBlock> split;
  for (const DraftBlock& run : blocks)
    for (Index row = run.rows.begin; row < run.rows.end; row += length)
      split.push_back({{row, row + length}, run.anchor + row - run.rows.begin});
  blocks = std::move(split);
}

/// With more keys than queries and no past_len, queries that each see the key at their place among
/// the last ones, and none behind it, are taken for the last tokens.
void take_last_tokens(LintCase& made) {
  const SequenceLayout& layout = made.layout;
  const Index past = layout.kv_length() - layout.q_length();
  if (!made.extra_keys || past < 1 || !looks_back(made.objective) || layout.has_slots()) return;
  SequenceInput input = layout.input();
  if (layout.query_source() != QuerySource::keys || (input.padding > 0 && input.padding_side == PaddingSide::right))
    return;
  CountBudget budget{.left = most_row_reads};
  std::vector<Range> row;
  for (Index q = 0; q < layout.q_length(); ++q)
    if (!read_row(*made.mask, q, budget, row) || row.empty() || row.back().end != past + q + 1) return;
  input.past_len = past;
  auto laid = SequenceLayout::make(input);
  if (!laid) return;
  made.layout = std::move(*laid);
  made.last_tokens = true;
}

/// Takes queries for draft blocks if their positions restart at anchors, if they are the last keys,
/// and if the context before these reaches into a block.
void take_draft_blocks(LintCase& made) {
  const SequenceLayout& layout = made.layout;
  const auto& ids = made.q_position_ids;
  const Index past = layout.kv_length() - layout.q_length();
  if (ids.empty() || made.kv_position_ids.empty() || past <= 0 || layout.has_slots()) return;
  if (layout.query_source() != QuerySource::keys || document_count(layout) > 1 || padding_count(layout) > 0) return;
  const std::span<const Index> keys = made.kv_position_ids;
  const auto context = keys.first(static_cast<std::size_t>(past));
  if (!std::ranges::equal(keys.subspan(static_cast<std::size_t>(past)), ids)) return;
  std::vector<DraftBlock> blocks;
  for (Index q = 0; q < layout.q_length(); ++q) {
    const Index position = ids[static_cast<std::size_t>(q)];
    if (!blocks.empty() && position == blocks.back().anchor + blocks.back().rows.size())
      ++blocks.back().rows.end;
    else
      blocks.push_back({{q, q + 1}, position});
  }
  if (blocks.size() < 2 || static_cast<Index>(blocks.size()) > most_draft_steps / past) return;
  // A restart at the first position is a document.
  if (std::ranges::count(blocks, made.first_position, &DraftBlock::anchor) > 0) return;
  if (std::ranges::none_of(blocks, [&](const DraftBlock& block) { return context_covers(block, context); })) return;
  split_runs(blocks);
  SequenceInput input = layout.input();
  input.past_len = past;
  auto laid = SequenceLayout::make(input);
  if (!laid) return;
  made.layout = std::move(*laid);
  made.extra_keys = false;
  made.draft_blocks = std::move(blocks);
}

/// Whether a query hides an earlier one at its position or beyond it: positions that branch.
/// Positions that restart are documents.
bool hides_a_branch(const LintCase& made) {
  const auto& ids = made.q_position_ids;
  const SequenceLayout& layout = made.layout;
  if (made.axes_differ || ids.size() > most_tree_queries || layout.has_slots() || document_count(layout) > 1)
    return false;
  for (std::size_t q = 1; q < ids.size(); ++q)
    if (ids[q] < ids[0] || ids[q] == made.first_position) return false;
  for (std::size_t q = 1; q < ids.size(); ++q)
    for (std::size_t before = 0; before < q; ++before)
      if (ids[before] >= ids[q])
        if (const auto key = layout.key_of(static_cast<Index>(before));
            key && !made.mask->visible(static_cast<Index>(q), *key))
          return true;
  return false;
}

/// Whether each query sees what some earlier one sees, and itself, and not all follow one another:
/// a tree of drafts, whose positions are its depths whatever is stated.
bool is_tree_of_drafts(const LintCase& made) {
  const SequenceLayout& layout = made.layout;
  const Index past = layout.past_len();
  if (made.q_position_ids.empty() || made.q_position_ids.size() > most_tree_queries || made.axes_differ) return false;
  if (past < 1 || layout.query_source() != QuerySource::keys || layout.has_slots() || document_count(layout) > 1 ||
      layout.kv_length() != past + layout.q_length())
    return false;
  CountBudget budget{.left = most_row_reads};
  std::vector<std::vector<Range>> rows;
  bool branches = false;
  bool follows = false;
  for (Index q = 0; q < layout.q_length(); ++q) {
    std::vector<Range>& row = rows.emplace_back();
    if (!budget.spend(layout.q_length()) || !read_row(*made.mask, q, budget, row) || row.empty()) return false;
    const auto parent = draft_parent(past + q, row, past);
    if (!parent) return false;
    std::vector<Range> expected{{rows.front().front().begin, past}};
    if (*parent >= 0) expected = rows[static_cast<std::size_t>(*parent)];
    if (expected.back().end == past + q)
      ++expected.back().end;
    else
      expected.push_back({past + q, past + q + 1});
    if (expected != row) return false;
    follows = follows || *parent >= 0;
    branches = branches || (q > 0 && *parent != q - 1);
  }
  return branches && follows;
}

/// Whether the keys' ids are the positions that were assumed of them.
bool keys_are_stated(const LintCase& made) {
  const auto& ids = made.kv_position_ids;
  for (std::size_t key = 0; key < ids.size(); ++key)
    if (ids[key] != made.layout.kv_pos(static_cast<Index>(key)) + made.first_position) return false;
  return !ids.empty();
}

}  // namespace

Result<void> take_positions(const ParameterValues& stated, LintCase& made) {
  made.first_position = stated.integer("first_position");
  made.q_position_ids = stated.integers("q_position_ids");
  made.kv_position_ids = stated.integers("kv_position_ids");
  take_last_tokens(made);
  const SequenceLayout& layout = made.layout;
  const auto ids = one_axis(stated.integers("position_ids"), layout.q_length(), layout.kv_length(), made.axes_differ);
  const auto length = static_cast<Index>(ids.size());
  const bool self = layout.query_source() == QuerySource::keys;
  if (length > 0 && length != layout.q_length() && (!self || length != layout.kv_length()))
    return invalid("position_ids has {} entries but must have q_length = {}{}", length, layout.q_length(),
                   self ? fmt::format(" or kv_length = {}", layout.kv_length()) : "");
  if (length > 0 && self && length == layout.kv_length()) {
    if (made.kv_position_ids.empty()) made.kv_position_ids = ids;
    if (made.q_position_ids.empty())
      for (Index q = 0; q < layout.q_length(); ++q)
        made.q_position_ids.push_back(ids[static_cast<std::size_t>(layout.key_of(q).value_or(q))]);
  } else if (length > 0 && made.q_position_ids.empty()) {
    made.q_position_ids = ids;
  }
  if (auto fits = check_length("q_position_ids", made.q_position_ids.size(), layout.q_length(), "q_length"); !fits)
    return fits;
  if (auto fits = check_length("kv_position_ids", made.kv_position_ids.size(), layout.kv_length(), "kv_length"); !fits)
    return fits;
  take_draft_blocks(made);
  made.branches = made.draft_blocks.empty() && (hides_a_branch(made) || is_tree_of_drafts(made));
  made.keys_assumed = made.keys_assumed && !keys_are_stated(made);
  return {};
}

Result<void> check_length(const char* name, std::size_t length, Index wanted, const char* wanted_name) {
  if (length == 0 || static_cast<Index>(length) == wanted) return {};
  return invalid("{} has {} entries but must have {} = {}", name, length, wanted_name, wanted);
}

}  // namespace vqscope
