// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/mask/contract_plan.h"

namespace vqscope {
namespace {

/// The positions that one side is given, and the runs that say what they should be.
struct Given {
  std::span<const Index> ids;
  std::span<const TokenRun> runs;
  bool queries = false;

  Index at(Index token) const { return ids[static_cast<std::size_t>(token)]; }
  std::string token(Index token) const { return (queries ? "query " : "key ") + to_text(token); }
};

/// Keys first; sides without positions are left out.
std::vector<Given> sides(const ContractCase& given) {
  std::vector<Given> all;
  if (!given.kv_position_ids.empty()) all.push_back({given.kv_position_ids, given.layout.kv_runs(), false});
  if (!given.q_position_ids.empty()) all.push_back({given.q_position_ids, given.layout.q_runs(), true});
  return all;
}

/// Of the first of some tokens that break a rule; each of them is one `one`.
Finding token_finding(const Given& side, const std::vector<Range>& tokens, const std::string& sentence,
                      const std::string& one) {
  const std::optional<Index> at = tokens.front().begin;
  auto made = finding(Severity::error, side.queries ? at : std::nullopt, side.queries ? std::nullopt : at, sentence,
                      token_count(tokens), one);
  made.rows = tokens;
  return made;
}

/// The queries among keys: those behind the cache, where they are one sequence.
std::vector<Range> queries_of(const SequenceLayout& layout, const std::vector<Range>& keys) {
  std::vector<Range> rows;
  if (layout.query_source() != QuerySource::keys) return rows;
  for (const Range& range : keys) {
    const Range shifted{std::max<Index>(0, range.begin - layout.past_len()), range.end - layout.past_len()};
    const Range some{shifted.begin, std::min(shifted.end, layout.q_length())};
    if (some.size() > 0) rows.push_back(some);
  }
  return rows;
}

/// The first side that breaks a rule is reported: the other one mostly repeats it.
template <class Check>
RulePlan per_side(const ContractCase& given, const Check& check) {
  RulePlan plan;
  plan.conclude = [&given, check](const Tallies&, std::vector<Finding>& out) {
    for (const Given& side : sides(given)) {
      const std::size_t before = out.size();
      check(side, out);
      if (out.size() == before) continue;
      if (!side.queries) out.back().rows = queries_of(given.layout, out.back().rows);
      return;
    }
  };
  return plan;
}

RulePlan packed_positions(const ContractCase& given) {
  if (document_count(given.layout) < 2) return not_asked("one document");
  if (sides(given).empty()) return not_asked("no position_ids given");
  return per_side(given, [](const Given& side, std::vector<Finding>& out) {
    Index document = 0;
    std::vector<Range> tokens;
    for (const TokenRun& run : side.runs) {
      if (!run.valid || run.document == 0 || run.first != 0 || side.at(run.tokens.begin) == 0) continue;
      if (tokens.empty()) document = run.document;
      add_token(run.tokens.begin, tokens);
    }
    if (tokens.empty()) return;
    const Index token = tokens.front().begin;
    out.push_back(token_finding(side, tokens,
                                side.token(token) + " begins document " + to_text(document) + " but has position " +
                                    to_text(side.at(token)) + ", wanted 0: positions do not reset",
                                "document"));
  });
}

RulePlan left_padding(const ContractCase& given) {
  const auto runs = given.layout.kv_runs();
  if (runs.front().valid) return not_asked("no padding at the left");
  if (sides(given).empty()) return not_asked("no position_ids given");
  const Index padding = runs.front().tokens.size();
  return per_side(given, [padding](const Given& side, std::vector<Finding>& out) {
    const auto first = std::ranges::find_if(side.runs, [](const TokenRun& run) { return run.valid; });
    if (first == side.runs.end() || first->document != 0) return;
    const Index token = first->tokens.begin;
    if (side.at(token) <= first->first) return;
    out.push_back(token_finding(side, {first->tokens},
                                side.token(token) + " has position " + to_text(side.at(token)) + ", wanted " +
                                    to_text(first->first) + ": left padding of " + to_text(padding) +
                                    " shifts the real tokens",
                                "token"));
  });
}

RulePlan cache_offset(const ContractCase& given) {
  if (given.layout.past_len() == 0) return not_asked("nothing is cached");
  if (given.q_position_ids.empty()) return not_asked("no position_ids of the queries given");
  RulePlan plan;
  plan.conclude = [&given](const Tallies&, std::vector<Finding>& out) {
    const auto runs = given.layout.q_runs();
    const auto first = std::ranges::find_if(runs, [](const TokenRun& run) { return run.valid; });
    if (first == runs.end()) return;
    const Index query = first->tokens.begin;
    const Index has = given.q_position_ids[static_cast<std::size_t>(query)];
    if (has >= first->first) return;
    out.push_back(finding(Severity::error, query, {},
                          "query " + to_text(query) + " has position " + to_text(has) + ", wanted " +
                              to_text(first->first) + ": the offset of " + to_text(given.layout.past_len()) +
                              " cached keys is lost",
                          static_cast<std::uint64_t>(first->tokens.size()), "token"));
    out.back().rows = {first->tokens};
  };
  return plan;
}

RulePlan position_steps(const ContractCase& given) {
  if (sides(given).empty()) return not_asked("no position_ids given");
  return per_side(given, [](const Given& side, std::vector<Finding>& out) {
    std::vector<Range> tokens;
    for (const TokenRun& run : side.runs)
      for (Index token = run.tokens.begin + 1; run.valid && token < run.tokens.end; ++token)
        if (side.at(token) != side.at(token - 1) + 1) add_token(token, tokens);
    if (tokens.empty()) return;
    const Index first = tokens.front().begin;
    out.push_back(token_finding(side, tokens,
                                side.token(first) + " has position " + to_text(side.at(first)) + " after " +
                                    to_text(side.at(first - 1)) + ", wanted one more within a document",
                                "token"));
  });
}

RulePlan qk_positions(const ContractCase& given) {
  if (given.layout.query_source() != QuerySource::keys) return not_asked("queries and keys are two sequences");
  if (given.q_position_ids.empty() || given.kv_position_ids.empty())
    return not_asked("position_ids of both queries and keys are needed");
  RulePlan plan;
  plan.conclude = [&given](const Tallies&, std::vector<Finding>& out) {
    const Index past = given.layout.past_len();
    std::vector<Range> tokens;
    const auto q_at = [&](Index q) { return given.q_position_ids[static_cast<std::size_t>(q)]; };
    const auto kv_at = [&](Index q) { return given.kv_position_ids[static_cast<std::size_t>(past + q)]; };
    for (Index q = 0; q < given.layout.q_length(); ++q)
      if (given.layout.q_valid(q) && q_at(q) != kv_at(q)) add_token(q, tokens);
    if (tokens.empty()) return;
    const Index first = tokens.front().begin;
    out.push_back(finding(Severity::error, first, past + first,
                          "query " + to_text(first) + " has position " + to_text(q_at(first)) + " and key " +
                              to_text(past + first) + ", the same token, position " + to_text(kv_at(first)),
                          token_count(tokens), "token"));
    out.back().rows = tokens;
  };
  return plan;
}

RulePlan rope_column(const ContractCase& given) {
  if (!given.q_rope.by_column && !given.k_rope.by_column) return not_asked("rope_gather is not column");
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
      const Given side{{}, runs, queries};
      out.push_back(token_finding(
          side, tokens,
          side.token(token) + " is turned by its column " + to_text(token) + " but has position " + to_text(position),
          "token"));
      if (!queries) out.back().rows = queries_of(given.layout, tokens);
    };
    if (given.k_rope.by_column) look(given.layout.kv_runs(), false);
    if (given.q_rope.by_column) look(given.layout.q_runs(), true);
  };
  return plan;
}

RulePlan qk_convention(const ContractCase& given) {
  const auto both = [](const std::string& q, const std::string& k) { return !q.empty() && !k.empty(); };
  const bool layouts = both(given.q_rope.pair_layout, given.k_rope.pair_layout);
  const bool scalings = both(given.q_rope.scaling, given.k_rope.scaling);
  if (!layouts && !scalings) return not_asked("the conventions of q and k are not said");
  RulePlan plan;
  plan.conclude = [&given, layouts, scalings](const Tallies&, std::vector<Finding>& out) {
    const auto compare = [&](bool asked, const char* what, const std::string& q, const std::string& k) {
      if (asked && q != k)
        out.push_back(finding(Severity::error, {}, {},
                              "q is turned with " + std::string(what) + " " + q + ", k with " + k +
                                  ": their product does not depend on relative position alone"));
    };
    compare(layouts, "pair layout", given.q_rope.pair_layout, given.k_rope.pair_layout);
    compare(scalings, "scaling", given.q_rope.scaling, given.k_rope.scaling);
  };
  return plan;
}

}  // namespace

std::vector<ContractRule> position_rules() {
  return {
      {{"packed_positions", "Packed positions do not reset", "position_ids begin at 0 in every packed document.",
        "trl#784; Hugging Face infers documents from jumps of position_ids"},
       packed_positions},
      {{"left_padding_positions", "Left padding shifts positions", "The first real token has position 0.",
        "transformers#22161; cumsum(attention_mask) - 1"},
       left_padding},
      {{"cache_offset", "Cache offset restarts", "The first new query has position past_len.",
        "Hugging Face generation: position_ids from past_len on"},
       cache_offset},
      {{"position_steps", "Positions out of step", "Within a document each position is one more than the last.",
        "Su et al. 2021, RoFormer, section 3.2"},
       position_steps},
      {{"qk_positions", "Q and K at different positions", "A token's query and its key have the same position.",
        "Su et al. 2021, RoFormer, equation 11"},
       qk_positions},
      {{"rope_by_column", "RoPE gathered by column", "The rotary table is gathered by position_ids.",
        "transformers#22161"},
       rope_column},
      {{"qk_convention", "Q and K with different conventions", "q and k share pair layout and scaling.",
        "Su et al. 2021, RoFormer, section 3.4.2"},
       qk_convention},
  };
}

}  // namespace vqscope
