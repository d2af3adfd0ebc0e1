// SPDX-License-Identifier: GPL-3.0-or-later
// Documents that share their first keys: answers to one question, candidates behind one prompt, frames beside
// registers.
#include "core/base/sentence.h"
#include "core/mask/recognise/pattern/pattern_input.h"
#include "core/mask/recognise/shape_votes.h"

namespace vqscope {
namespace {

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
