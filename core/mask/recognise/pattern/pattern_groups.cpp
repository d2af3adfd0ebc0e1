// SPDX-License-Identifier: GPL-3.0-or-later
// Masks that are an equivalence: query and key are of one group, whose tokens may stand anywhere.
// Documents that share their first keys: answers to one question, candidates behind one prompt, frames beside
// registers.
#include "core/base/sentence.h"
#include "core/mask/recognise/pattern/pattern_input.h"
#include "core/mask/recognise/pattern/token_sets.h"
#include "core/mask/recognise/shape_votes.h"

#include <map>

namespace vqscope {
namespace {

/// The groups of queries and of keys by number, -1 for a query that sees no key, -2 for a key that
/// no query sees.
struct Groups {
  std::vector<Index> of_queries;
  std::vector<Index> of_keys;
  Index count = 0;
};

/// Queries with equal rows are a group, whose keys no other group may see.
std::optional<Groups> groups_of(const MaskRows& rows) {
  const Extent extent = rows.extent();
  Groups groups{.of_queries = std::vector<Index>(static_cast<std::size_t>(extent.rows), -1),
                .of_keys = std::vector<Index>(static_cast<std::size_t>(extent.cols), -2)};
  std::vector<Index> first_row;  // of each group
  for (Index q = 0; q < extent.rows; ++q) {
    const auto row = rows.row(q);
    if (row.empty()) continue;
    const Index known = groups.of_keys[static_cast<std::size_t>(row.front().begin)];
    if (known >= 0) {
      if (!std::ranges::equal(row, rows.row(first_row[static_cast<std::size_t>(known)]))) return {};
      groups.of_queries[static_cast<std::size_t>(q)] = known;
      continue;
    }
    for (const Range& keys : row)
      for (Index kv = keys.begin; kv < keys.end; ++kv) {
        Index& group = groups.of_keys[static_cast<std::size_t>(kv)];
        if (group >= 0) return {};
        group = groups.count;
      }
    groups.of_queries[static_cast<std::size_t>(q)] = groups.count++;
    first_row.push_back(q);
  }
  // A group of one query is a cell or two.
  const auto grouped = extent.rows - std::ranges::count(groups.of_queries, Index{-1});
  if (groups.count < 2 || grouped < 2 * groups.count) return {};
  return groups;
}

/// "16 groups of 49 tokens", "16 groups of 4 to 49 tokens".
std::string groups_text(const std::vector<Index>& ids) {
  std::map<Index, Index> sizes;
  for (const Index id : ids)
    if (id >= 0) ++sizes[id];
  const auto [least, most] = std::ranges::minmax_element(sizes, {}, [](const auto& each) { return each.second; });
  const std::string size = least->second == most->second
                               ? tokens_text(most->second)
                               : fmt::format("{} to {}", least->second, tokens_text(most->second));
  return fmt::format("{} groups of {}", sizes.size(), size);
}

/// Whether the group of each query is that of its token.
bool are_of_tokens(const PatternInput& input, const Groups& groups) {
  const Index first = input.past_len();
  if (first + input.extent().rows > input.extent().cols) return false;
  for (std::size_t q = 0; q < groups.of_queries.size(); ++q) {
    const Index group = groups.of_keys[q + static_cast<std::size_t>(first)];
    if (std::max<Index>(groups.of_queries[q], -1) != std::max<Index>(group, -1)) return false;
  }
  return true;
}

struct Branches {
  Index shared = 0;           ///< keys at the front that all see
  std::vector<Index> starts;  ///< of the branches
  bool causal = true;
  bool sees_all = false;  ///< the queries of the shared keys see every key
};

std::optional<Branches> branches_of(const PatternInput& input) {
  Votes shared;
  Branches found;
  const bool read = input.for_each_row({0, input.tokens()}, [&](Index token, std::span<const Range> row) {
    found.causal = found.causal && row.back().end <= token + 1;
    if (row.size() == 2 && row.front().begin == 0) shared.add(row.front().end);
  });
  if (!read || shared.empty()) return {};
  found.shared = shared.winner().first;
  input.for_each_row({0, input.tokens()}, [&](Index token, std::span<const Range> row) {
    if (token < found.shared) {
      found.sees_all = found.sees_all || row.back().end == input.extent().cols;
      return;
    }
    const Index start = row.size() > 1 ? row[1].begin : found.shared;
    if (found.starts.empty() || start > found.starts.back()) found.starts.push_back(start);
  });
  // The first branch may have no queries.
  if (!found.starts.empty() && found.starts.front() > found.shared)
    found.starts.insert(found.starts.begin(), found.shared);
  if (found.starts.size() < 2 || found.starts.size() > static_cast<std::size_t>(input.tokens() / 2)) return {};
  return found;
}

}  // namespace

void propose_groups(const PatternInput& input, std::vector<MaskPattern>& out) {
  if (const auto groups = groups_of(input.rows())) {
    MaskPattern made{.kind = MaskKind::groups, .terms = {"same group: " + groups_text(groups->of_keys)}};
    made.size = 3 + groups->count;
    if (are_of_tokens(input, *groups)) {
      made.condition = fmt::format("(group_id[{}] == group_id[kv_idx])", input.token());
      made.arrays = {{"group_id", groups->of_keys}};
    } else {
      made.condition = "(q_group[q_idx] == kv_group[kv_idx])";
      made.arrays = {{"q_group", groups->of_queries}, {"kv_group", groups->of_keys}};
    }
    return out.push_back(std::move(made));
  }
  TokenSets sets(input.tokens());
  const bool read = input.for_each_row({0, input.tokens()}, [&](Index token, std::span<const Range> row) {
    for (const Range& seen : row) sets.join(token, seen);
  });
  if (!read) return;
  auto ids = sets.numbers(1);
  const Index count = 1 + *std::ranges::max_element(ids);
  if (count < 2 || count > input.tokens() / 2) return;
  MaskPattern made{.kind = MaskKind::groups, .terms = {"causal", "same group: " + groups_text(ids)}};
  made.condition = fmt::format("(kv_idx <= {}) & (group_id[{}] == group_id[kv_idx])", input.token(), input.token());
  made.size = 5 + count;
  made.arrays = {{"group_id", std::move(ids)}};
  out.push_back(std::move(made));
}

void propose_branches(const PatternInput& input, std::vector<MaskPattern>& out) {
  const auto found = branches_of(input);
  if (!found) return;
  MaskPattern made{.kind = MaskKind::groups};
  const std::string& q = input.token();
  const std::string documents = "documents " + lengths_text(found->starts, input.extent().cols);
  made.condition = fmt::format("(kv_idx < {}) | (branch_id[{}] == branch_id[kv_idx])", found->shared, q);
  if (found->causal) {
    made.terms = {"causal", fmt::format("({} shared keys ∨ {})", found->shared, documents)};
    made.condition = fmt::format("(kv_idx <= {}) & ({})", q, made.condition);
  } else if (found->sees_all) {
    made.terms = {fmt::format("global tokens {} ∨ {}", found->shared, documents)};
    made.condition = fmt::format("(({} < {}) | {})", q, found->shared, made.condition);
  } else {
    made.terms = {fmt::format("{} shared keys ∨ {}", found->shared, documents)};
    made.condition = fmt::format("({})", made.condition);
  }
  made.arrays = {{"branch_id", ids_of(found->starts, input.tokens())}};
  made.size = 4 + static_cast<Index>(found->starts.size());
  out.push_back(std::move(made));
}

}  // namespace vqscope
