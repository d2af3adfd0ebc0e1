// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/lint/fix/document_setting.h"
#include "core/lint/lint_hidden.h"
#include "core/lint/lint_plan.h"
#include "core/lint/rules/position_sides.h"

namespace vqscope {
namespace {

constexpr Index most_row_steps = Index{1} << 22;

/// The rows of the queries among these keys, which follow the cached ones, if queries and keys are
/// one sequence.
std::vector<Range> queries_of(const SequenceLayout& layout, const std::vector<Range>& keys) {
  std::vector<Range> rows;
  if (layout.query_source() != QuerySource::keys || layout.has_slots()) return rows;
  for (const Range& range : keys) {
    const Range shifted{std::max<Index>(0, range.begin - layout.past_len()), range.end - layout.past_len()};
    const Range some{shifted.begin, std::min(shifted.end, layout.q_length())};
    if (some.size() > 0) rows.push_back(some);
  }
  return rows;
}

/// Reports the first side that breaks a rule: the other one mostly repeats it.
template <class Check>
RulePlan per_side(const LintCase& given, const Check& check) {
  RulePlan plan;
  plan.conclude = [&given, check](const Tallies&, std::vector<Finding>& out) {
    for (const PositionSide& side : position_sides(given)) {
      const std::size_t before = out.size();
      check(side, out);
      if (out.size() == before) continue;
      if (!side.queries) out.back().rows = queries_of(given.layout, out.back().rows);
      return;
    }
  };
  return plan;
}

RulePlan packed_positions(const LintCase& given) {
  if (document_count(given.layout) < 2) return skipped("one document");
  if (const auto why = positions_unchecked(given); !why.empty()) return skipped(why);
  return per_side(given, [](const PositionSide& side, std::vector<Finding>& out) {
    Index document = 0;
    std::vector<Range> tokens;
    for (const TokenRun& run : side.runs) {
      if (!run.valid || run.document == 0 || run.first != 0 || side.at(run.tokens.begin) == side.wanted(run)) continue;
      if (tokens.empty()) document = run.document;
      append_range({run.tokens.begin, run.tokens.begin + 1}, tokens);
    }
    if (tokens.empty()) return;
    const Index token = tokens.front().begin;
    out.push_back(
        token_finding(side, tokens,
                      fmt::format("{} begins document {} but has position {}, expected {}: positions do not reset",
                                  side.token(token), document, side.at(token), side.first),
                      "document"));
  });
}

RulePlan left_padding(const LintCase& given) {
  if (const auto why = positions_unchecked(given); !why.empty()) return skipped(why);
  if (!padded_left(given)) return skipped("no left padding");
  const Index padding = given.layout.kv_runs().front().tokens.size();
  const bool cached = given.layout.past_len() > 0;
  return per_side(given, [padding, cached](const PositionSide& side, std::vector<Finding>& out) {
    const TokenRun* first = first_real(side.runs);
    if (!first || first->document != 0) return;
    const Index token = first->tokens.begin;
    const Index has = side.at(token);
    // A lost cache offset belongs to another rule.
    if (has == side.wanted(*first) || (side.queries && cached && has < side.wanted(*first))) return;
    out.push_back(
        token_finding(side, {first->tokens},
                      fmt::format("{} has position {}, expected {}: left padding of {} shifts the real tokens",
                                  side.token(token), has, side.wanted(*first), padding),
                      "token"));
  });
}

RulePlan position_start(const LintCase& given) {
  if (const auto why = positions_unchecked(given); !why.empty()) return skipped(why);
  if (padded_left(given)) return skipped("left padding: see the rule left_padding_positions");
  const bool cached = given.layout.past_len() > 0;
  return per_side(given, [cached](const PositionSide& side, std::vector<Finding>& out) {
    const TokenRun* first = first_real(side.runs);
    if (!first || (side.queries && cached)) return;
    const Index token = first->tokens.begin;
    if (side.at(token) == side.wanted(*first)) return;
    out.push_back(token_finding(side, {first->tokens},
                                fmt::format("{} has position {}, expected {}, as first_position is {}",
                                            side.token(token), side.at(token), side.wanted(*first), side.first),
                                "token"));
  });
}

/// Documents of the sequence that are not set but visible in the mask and the positions.
std::optional<Suggestion> documents_of_mask(const LintCase& given, const PositionSide& side,
                                            const std::vector<Range>& tokens) {
  if (document_count(given.layout) > 1) return {};
  for (const Range& range : tokens)
    for (Index token = range.begin; token < range.end; ++token)
      if (side.at(token) != side.first) return {};
  const auto purpose = hidden_on_purpose(given);
  if (!purpose) return {};
  if (const SuggestedValue* lengths = purpose->states.find("document_lengths"))
    return suggest(lengths->name, lengths->value);
  if (!purpose->states.find("chunk")) return {};
  std::vector<Index> starts;
  for (const TokenRun& run : side.runs)
    for (const Range& range : tokens)
      for (Index token = std::max(range.begin, run.tokens.begin); token < std::min(range.end, run.tokens.end); ++token)
        starts.push_back(run.position(token));
  return Suggestion{{document_setting(given.layout, starts)}};
}

/// The position at which a key is rotated, as far as it is given.
Index given_position(const LintCase& given, Index key) {
  if (!given.kv_position_ids.empty()) return given.kv_position_ids[static_cast<std::size_t>(key)];
  const Index q = key - given.layout.past_len();
  if (q >= 0 && q < given.layout.q_length() && !given.q_position_ids.empty())
    return given.q_position_ids[static_cast<std::size_t>(q)];
  return given.layout.kv_pos(key) + given.first_position;
}

/// Whether the keys that a token sees up to itself lead to its position one by one: the mask
/// separates documents that are not set. The position of a token that sees nothing does not matter.
bool follows_its_row(const LintCase& given, const PositionSide& side, Index token, CountBudget& budget) {
  const Index q = side.queries ? token : token - given.layout.past_len();
  if (q < 0 || q >= given.layout.q_length()) return false;
  const auto own = given.layout.key_of(q);
  std::vector<Range> row;
  if (!own || !read_row(*given.mask, q, budget, row)) return false;
  if (row.empty()) return true;
  if (!given.mask->visible(q, *own)) return false;
  Index seen = 0;
  Index last = 0;
  for (const Range& range : row)
    for (Index key = range.begin; key < std::min(range.end, *own + 1); ++key) {
      const Index position = given_position(given, key);
      if (!budget.spend(1) || (seen++ > 0 && position != last + 1)) return false;
      last = position;
    }
  return last == side.at(token) && (seen > 1 || last == side.first);
}

std::vector<Range> without_documents(const LintCase& given, const PositionSide& side,
                                     const std::vector<Range>& tokens) {
  CountBudget budget{.left = most_row_steps};
  std::vector<Range> left;
  for (const Range& range : tokens)
    for (Index token = range.begin; token < range.end; ++token)
      if (!follows_its_row(given, side, token, budget)) append_range({token, token + 1}, left);
  return left;
}

RulePlan position_steps(const LintCase& given) {
  if (const auto why = positions_unchecked(given); !why.empty()) return skipped(why);
  if (given.branches) return skipped("positions branch: see the rule draft_tree");
  if (given.axes_differ) return skipped("positions have three axes, which do not advance within an image");
  return per_side(given, [&given](const PositionSide& side, std::vector<Finding>& out) {
    std::vector<Range> tokens;
    for (const TokenRun& run : side.runs)
      for (Index token = run.tokens.begin + 1; run.valid && token < run.tokens.end; ++token)
        if (side.at(token) != side.at(token - 1) + 1) append_range({token, token + 1}, tokens);
    if (tokens.empty()) return;
    if (const auto documents = documents_of_mask(given, side, tokens))
      return out.push_back(question("positions restart at " + side.token(tokens.front().begin) +
                                        ", where the mask keeps documents of its own: set " + documents->words(),
                                    {*documents}));
    tokens = without_documents(given, side, tokens);
    if (tokens.empty()) return;
    const Index first = tokens.front().begin;
    out.push_back(token_finding(side, tokens,
                                fmt::format("{} has position {} after {}, expected one more within a document",
                                            side.token(first), side.at(first), side.at(first - 1)),
                                "token"));
  });
}

RulePlan qk_positions(const LintCase& given) {
  if (given.layout.query_source() != QuerySource::keys) return skipped("queries and keys are different sequences");
  if (given.q_position_ids.empty() || given.kv_position_ids.empty())
    return skipped("position_ids of both queries and keys are needed");
  RulePlan plan;
  plan.conclude = [&given](const Tallies&, std::vector<Finding>& out) {
    const auto key = [&](Index q) { return given.layout.key_of(q).value_or(-1); };
    std::vector<Range> tokens;
    const auto q_at = [&](Index q) { return given.q_position_ids[static_cast<std::size_t>(q)]; };
    const auto kv_at = [&](Index q) { return given.kv_position_ids[static_cast<std::size_t>(key(q))]; };
    for (Index q = 0; q < given.layout.q_length(); ++q)
      if (given.layout.q_valid(q) && key(q) >= 0 && q_at(q) != kv_at(q)) append_range({q, q + 1}, tokens);
    if (tokens.empty()) return;
    const Index first = tokens.front().begin;
    out.push_back(finding(Severity::error, first, key(first),
                          fmt::format("query {} has position {} and key {}, the same token, position {}", first,
                                      q_at(first), key(first), kv_at(first)),
                          total_size(tokens), "token"));
    out.back().rows = tokens;
  };
  return plan;
}

RulePlan rope_column(const LintCase& given) {
  if (!given.q_rope.by_column && !given.k_rope.by_column) return skipped("rope_gather is not column");
  RulePlan plan;
  plan.conclude = [&given](const Tallies&, std::vector<Finding>& out) {
    const auto look = [&](std::span<const TokenRun> runs, bool queries) {
      Index position = 0;
      std::vector<Range> tokens;
      for (const TokenRun& run : runs) {
        if (!run.valid || run.first == run.tokens.begin) continue;
        if (tokens.empty()) position = run.first;
        tokens.push_back(run.tokens);
      }
      if (tokens.empty()) return;
      const Index token = tokens.front().begin;
      const PositionSide side{{}, runs, queries};
      out.push_back(token_finding(
          side, tokens,
          fmt::format("{} is rotated by its column {} but has position {}", side.token(token), token, position),
          "token"));
      if (!queries) out.back().rows = queries_of(given.layout, tokens);
    };
    if (given.k_rope.by_column) look(given.layout.kv_runs(), false);
    if (given.q_rope.by_column) look(given.layout.q_runs(), true);
  };
  return plan;
}

RulePlan qk_convention(const LintCase& given) {
  const auto both = [](const std::string& q, const std::string& k) { return !q.empty() && !k.empty(); };
  const bool layouts = both(given.q_rope.pair_layout, given.k_rope.pair_layout);
  const bool scalings = both(given.q_rope.scaling, given.k_rope.scaling);
  if (!layouts && !scalings) return skipped("the conventions of q and k are not set");
  RulePlan plan;
  plan.conclude = [&given, layouts, scalings](const Tallies&, std::vector<Finding>& out) {
    const auto compare = [&](bool relevant, const char* what, const std::string& q, const std::string& k) {
      if (relevant && q != k)
        out.push_back(finding(
            Severity::error, {}, {},
            fmt::format("q is rotated with {} {}, k with {}: their score depends on more than the relative position",
                        what, q, k)));
    };
    compare(layouts, "pair layout", given.q_rope.pair_layout, given.k_rope.pair_layout);
    compare(scalings, "scaling", given.q_rope.scaling, given.k_rope.scaling);
  };
  return plan;
}

}  // namespace

std::vector<LintRule> position_rules() {
  return {
      {{"packed_positions", "Packed positions do not reset", "position_ids begin at 0 in every packed document.",
        "trl#784; Hugging Face infers documents from jumps of position_ids"},
       packed_positions},
      {{"left_padding_positions", "Left padding shifts positions", "The first real token has position 0.",
        "transformers#22161; cumsum(attention_mask) - 1"},
       left_padding},
      {{"position_start", "Positions do not start at 0", "The first token has position 0, or first_position.",
        "Hugging Face: position_ids; RoBERTa begins at 2"},
       position_start},
      {{"position_steps", "Positions out of step", "Within a document, positions increase by one.",
        "Su et al. 2021, RoFormer, section 3.2"},
       position_steps},
      {{"qk_positions", "Q and K at different positions", "A token's query and its key have the same position.",
        "Su et al. 2021, RoFormer, equation 11"},
       qk_positions},
      {{"rope_by_column", "RoPE looked up by column", "The rotary table is looked up by position_ids.",
        "transformers#22161"},
       rope_column},
      {{"qk_convention", "Q and K with different conventions", "q and k share pair layout and scaling.",
        "Su et al. 2021, RoFormer, section 3.4.2"},
       qk_convention},
  };
}

}  // namespace vqscope
