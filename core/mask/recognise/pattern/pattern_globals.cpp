// SPDX-License-Identifier: GPL-3.0-or-later
// Masks with tokens that every query sees: Longformer's global tokens, the summaries of the Sparse Transformer.
#include "core/base/sentence.h"
#include "core/mask/recognise/pattern/pattern_input.h"
#include "core/mask/recognise/votes.h"

namespace vqscope {
namespace {

/// In positions of the document.
struct Globals {
  std::vector<Range> keys;     ///< that every query sees
  std::vector<Range> queries;  ///< that see every key
  Votes back;                  ///< of the other queries, how far they see around themselves
  Votes ahead;
};

Globals globals_of(const PatternInput& input) {
  Globals found;
  const Range document = input.document();
  bool first = true;
  std::vector<Range> shared;
  input.for_each_row(document, [&](Index token, std::span<const Range> row) {
    if (first) found.keys.assign(row.begin(), row.end());
    first = false;
    common_ranges(found.keys, row, shared);
    found.keys.swap(shared);
    if (row.size() == 1 && row.front() == document) return append_range({token, token + 1}, found.queries);
    for (const Range& seen : row) {
      if (!seen.contains(token)) continue;
      if (seen.begin > document.begin) found.back.add(token - seen.begin);
      if (seen.end < document.end) found.ahead.add(seen.end - 1 - token);
    }
  });
  return found;
}

/// How many tokens of a list lead the document.
Index leading_count(std::span<const Range> tokens, Range document) {
  return tokens.empty() || tokens.front().begin != document.begin ? 0 : tokens.front().size();
}

std::string count_text(std::span<const Range> tokens) { return to_text(static_cast<Index>(total_size(tokens))); }

NamedArray flags_of(const char* name, std::span<const Range> tokens, Index count) {
  NamedArray flags{name, std::vector<Index>(static_cast<std::size_t>(count))};
  for (const Range& each : tokens)
    for (Index token = each.begin; token < each.end; ++token) flags.values[static_cast<std::size_t>(token)] = 1;
  return flags;
}

/// A window to both sides, its words and its condition.
struct Near {
  std::string term;
  std::string condition;
  Index size = 0;
};

std::optional<Near> near_of(const PatternInput& input, const Globals& found) {
  if (found.back.empty() && found.ahead.empty()) return {};
  const auto [far, near] =
      std::pair{found.back.empty() ? found.ahead : found.back, found.ahead.empty() ? found.back : found.ahead};
  const Index back = far.winner().first;
  const Index ahead = near.winner().first;
  if (back < 0 || ahead < 0) return {};
  const std::string token = input.past_len() == 0 ? "q_idx" : "(" + input.token() + ")";
  Near made{.term = back == ahead ? fmt::format("bidirectional window {} to each side", back)
                                  : fmt::format("window from {} back to {} ahead", back, ahead),
            .condition = fmt::format("(({} - kv_idx <= {}) & (kv_idx - {} <= {}))", input.token(), back, token, ahead),
            .size = back == ahead ? 2 : 4};
  return made;
}

/// The global tokens lead the document, as many queries as keys where their queries are there.
MaskPattern leading(const PatternInput& input, Index count, const Near& near) {
  MaskPattern made{.kind = MaskKind::global_tokens};
  made.terms = {fmt::format("{} ∨ global tokens {}", near.term, count)};
  made.condition = fmt::format("({} | ({} < {}) | ({} < {}))", near.condition, input.token_position(), count,
                               input.key_position(), count);
  made.size = near.size + 3;
  return made;
}

MaskPattern anywhere(const PatternInput& input, const Globals& found, const Near& near) {
  MaskPattern made{.kind = MaskKind::global_tokens};
  made.terms = {near.term};
  made.condition = "(" + near.condition;
  made.size = near.size + 4;
  if (!found.keys.empty()) {
    made.terms.front() += fmt::format(" ∨ {} global keys", count_text(found.keys));
    made.condition += " | (global_key[kv_idx] == 1)";
    made.arrays.push_back(flags_of("global_key", found.keys, input.tokens()));
    made.size += 2 * static_cast<Index>(found.keys.size());
  }
  if (!found.queries.empty()) {
    made.terms.front() += fmt::format(" ∨ {} global queries", count_text(found.queries));
    made.condition += fmt::format(" | (global_query[{}] == 1)", input.token());
    made.arrays.push_back(flags_of("global_query", found.queries, input.tokens()));
    made.size += 2 * static_cast<Index>(found.queries.size());
  }
  made.condition += ")";
  return made;
}

}  // namespace

void propose_global_tokens(const PatternInput& input, std::vector<MaskPattern>& out) {
  const Range document = input.document();
  const Globals found = globals_of(input);
  const auto near = near_of(input, found);
  if (!near || (found.keys.empty() && found.queries.empty())) return;
  const Index window = 2 * (found.back.empty() ? found.ahead : found.back).winner().first;
  for (const Index count : {leading_count(found.keys, document), leading_count(found.queries, document)}) {
    if (count == 0) continue;
    MaskPattern made = leading(input, count, *near);
    made.preset = "longformer";
    made.parameters = {{"attention_window", window}, {"global_tokens", count}};
    out.push_back(std::move(made));
  }
  if (!input.has_documents()) out.push_back(anywhere(input, found, *near));
}

void propose_summaries(const PatternInput& input, std::vector<MaskPattern>& out) {
  const Range document = input.document();
  std::optional<std::pair<Index, Index>> first;  // the first block that does not begin with the document, its summary
  std::span<const Range> last;
  input.for_each_row(document, [&](Index token, std::span<const Range> row) {
    last = row;
    if (!first && row.size() == 1 && row.front().begin > document.begin)
      first.emplace(token - document.begin, token - row.front().begin);
  });
  std::vector<std::pair<Index, Index>> sizes;
  if (first) sizes.push_back(*first);
  if (last.size() > 1) sizes.emplace_back(last.front().end - document.begin, last.front().size());
  const auto& q = input.token_position();
  const auto& k = input.key_position();
  for (const auto& [stride, summary] : sizes) {
    if (summary < 1 || summary >= stride) continue;
    MaskPattern made{.kind = MaskKind::summaries};
    made.terms = {"causal",
                  fmt::format("(own block of {} ∨ the last {} of every block)", stride, tokens_text(summary))};
    made.condition = fmt::format("(kv_idx <= {}) & (({} // {} == {} // {}) | ({} % {} >= {}))", input.token(), q,
                                 stride, k, stride, k, stride, stride - summary);
    made.size = 8;
    made.preset = "local_global";
    made.parameters = {{"stride", stride}, {"num_summary", summary}};
    out.push_back(std::move(made));
  }
}

}  // namespace vqscope
