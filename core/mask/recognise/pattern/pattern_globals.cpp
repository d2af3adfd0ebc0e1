// SPDX-License-Identifier: GPL-3.0-or-later
// Masks with tokens that every query sees: Longformer's global tokens, the summaries of the Sparse Transformer.
#include "core/base/sentence.h"
#include "core/mask/recognise/pattern/pattern_input.h"
#include "core/mask/recognise/shape_votes.h"

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

namespace {

/// The block of a query and some tokens of every block: `count` of them from `offset` on.
struct Summaries {
  Index stride = 0;
  Index offset = 0;
  Index count = 0;
  friend bool operator==(const Summaries&, const Summaries&) = default;
};

/// Evidence of the first block behind another one, and of the last row.
std::vector<Summaries> summaries_of(const PatternInput& input) {
  const Range document = input.document();
  std::vector<Summaries> all;
  std::span<const Range> last;
  input.for_each_row(document, [&](Index token, std::span<const Range> row) {
    last = row;
    const Index stride = token - document.begin;
    const Index count = token - row.front().begin;
    if (all.empty() && row.size() == 1 && row.front().begin > document.begin)
      all.push_back({stride, stride - count, count});
  });
  const auto add = [&](const Summaries& found) {
    if (std::ranges::count(all, found) == 0) all.push_back(found);
  };
  if (last.size() > 1) {
    const Index stride = last.front().end - document.begin;
    add({stride, stride - last.front().size(), last.front().size()});
  }
  if (last.size() > 2) {
    const Index stride = last[1].begin - last[0].begin;
    add({stride, (last[0].begin - document.begin) % stride, last[0].size()});
  }
  std::erase_if(all, [](const Summaries& each) { return each.count < 1 || each.offset + each.count > each.stride; });
  std::erase_if(all, [](const Summaries& each) { return each.count >= each.stride; });
  return all;
}

std::string summary_place(const Summaries& found) {
  if (found.offset + found.count == found.stride) return "the last";
  return found.offset == 0 ? "the first" : fmt::format("from token {} on", found.offset);
}

std::string summary_condition(const Summaries& found, const std::string& k) {
  const std::string place = fmt::format("{} % {}", k, found.stride);
  const Index end = found.offset + found.count;
  if (end == found.stride) return fmt::format("({} >= {})", place, found.offset);
  if (found.offset == 0) return fmt::format("({} < {})", place, end);
  return fmt::format("(({} >= {}) & ({} < {}))", place, found.offset, place, end);
}

}  // namespace

void propose_summaries(const PatternInput& input, std::vector<MaskPattern>& out) {
  const auto& q = input.token_position();
  const auto& k = input.key_position();
  for (const Summaries& found : summaries_of(input)) {
    MaskPattern made{.kind = MaskKind::summaries};
    made.terms = {"causal", fmt::format("(own block of {} ∨ {} {} of every block)", found.stride, summary_place(found),
                                        tokens_text(found.count))};
    made.condition = fmt::format("(kv_idx <= {}) & (({} // {} == {} // {}) | {})", input.token(), q, found.stride, k,
                                 found.stride, summary_condition(found, k));
    made.size = 8;
    if (found.offset + found.count == found.stride) {
      made.preset = "local_global";
      made.parameters = {{"stride", found.stride}, {"num_summary", found.count}};
    } else if (found.offset > 0) {
      made.size = 10;
    }
    out.push_back(std::move(made));
  }
}

/// Child et al. 2019, strided: the last tokens, and every so many before them.
void propose_strides(const PatternInput& input, std::vector<MaskPattern>& out) {
  Votes strides;
  Votes windows;
  input.for_each_row(input.document(), [&](Index token, std::span<const Range> row) {
    if (row.size() < 3 || row[0].size() != 1 || row[1].size() != 1) return;
    strides.add(row[1].begin - row[0].begin);
    windows.add(token + 1 - row.back().begin);
  });
  if (strides.empty()) return;
  const Index stride = strides.winner().first;
  const std::string& q = input.token();
  for (const Index window : windows.winners()) {
    if (window < 2) continue;
    MaskPattern made{.kind = MaskKind::strides};
    // A key at the border of both is one of either.
    const Index plain = window - 1 == stride ? stride : window;
    made.terms = {"causal", fmt::format("(window {} ∨ every {}th key back)", plain, stride)};
    made.condition =
        fmt::format("(kv_idx <= {}) & (({} - kv_idx < {}) | (({} - kv_idx) % {} == 0))", q, q, plain, q, stride);
    made.size = 7;
    out.push_back(std::move(made));
  }
}

}  // namespace vqscope
