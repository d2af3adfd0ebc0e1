// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/base/sentence.h"
#include "core/experiment/memory/memory_setting.h"
#include "core/method/curve_set.h"

#include <algorithm>

namespace vqscope {
namespace {

/// -1 is the last token.
Index query_of(const ParameterValues& values) {
  const Index query = values.integer("query");
  return query < 0 ? values.integer("q_length") - 1 : query;
}

struct QueryAnswer {
  Index query = 0;
  Index match = -1;  ///< the planted key
  RetrievalOutput output;

  /// Number of retrieved keys, without the missing ones at the end.
  Index count() const {
    return static_cast<Index>(
        std::ranges::count_if(output.retrieved, [](const auto& key) { return key.position >= 0; }));
  }
};

Result<QueryAnswer> answer_of(const ParameterValues& values, const Work& work) {
  const auto setting = retrieval_setting(values);
  if (!setting) return setting.error();
  const MemoryTokens tokens = memory_tokens(setting->memory, work.stop);
  if (work.stop.stop_requested()) return cancelled();
  QueryAnswer answer{.query = query_of(values), .match = -1, .output = {}};
  if (!tokens.matches.empty()) answer.match = tokens.matches[static_cast<std::size_t>(answer.query)];
  auto output = retrieval_attention(tokens.input(), setting->options, {answer.query, answer.query + 1}, work);
  if (!output) return output.error();
  answer.output = std::move(*output);
  return answer;
}

double shown_of(const std::string& shown, const QueryAnswer& answer, Index rank) {
  const RetrievedKey& key = answer.output.retrieved[static_cast<std::size_t>(rank)];
  if (shown == "position") return static_cast<double>(key.position);
  if (shown == "distance") return static_cast<double>(answer.query - key.position);
  return static_cast<double>(shown == "weight" ? answer.output.weights[static_cast<std::size_t>(rank)] : key.score);
}

Result<CurveSet> make_query(const ParameterValues& values, const Work& work) {
  const auto answer = answer_of(values, work);
  if (!answer) return answer.error();
  const std::string& shown = values.choice("retrieved");
  CurveSet set{
      .x_name = "rank",
      .x_title = fmt::format("rank (query {})", grouped(answer->query)),
      .y_title = shown == "score"      ? "score q·k"
                 : shown == "weight"   ? "attention weight"
                 : shown == "distance" ? "distance (tokens)"
                                       : "key position (tokens)",
      .formula = fmt::format("keys of earlier segments with the highest scores q·k, best first; weight: in the "
                             "output, after mixing; {}",
                             memory_measured),
      .integer = shown == "position" || shown == "distance",
      .curves = {{shown, {}}}};
  for (Index rank = 0; rank < answer->count(); ++rank) {
    set.x.push_back(static_cast<double>(rank + 1));
    set.curves[0].y.push_back(shown_of(shown, *answer, rank));
  }
  set.facts = {{"query", static_cast<double>(answer->query)},
               {"memory_share", static_cast<double>(answer->output.memory_fraction[0])}};
  if (answer->match >= 0) {
    const auto found = std::ranges::find(answer->output.retrieved, answer->match, &RetrievedKey::position);
    const bool has = found != answer->output.retrieved.end();
    set.facts.emplace_back("planted_key", static_cast<double>(answer->match));
    set.facts.emplace_back("rank_of_planted_key",
                           has ? static_cast<double>(found - answer->output.retrieved.begin() + 1) : no_value);
  }
  work.report(1);
  return set;
}

/// Why there are no keys; else, if the tokens' words are known, the words of the first retrieved
/// keys.
std::string answer_remark(const ParameterValues& values, const Work& work) {
  constexpr Index most_named = 8;
  const auto words = words_of(values);
  const std::string query = token_text(query_of(values), words);
  if (query_of(values) < values.integer("segment_len"))
    return fmt::format("Query {} is in the first segment, which has no memory.", query);
  if (words.empty()) return {};  // the curve shows everything
  const auto answer = answer_of(values, work);
  if (!answer) return {};
  const Index count = answer->count();
  std::vector<std::string> keys;
  for (Index i = 0; i < std::min(count, most_named); ++i) {
    const RetrievedKey& key = answer->output.retrieved[static_cast<std::size_t>(i)];
    keys.push_back(fmt::format("{} (score {}{})", token_text(key.position, words), to_text(key.score, 4),
                               key.position == answer->match ? ", planted" : ""));
  }
  return fmt::format("Query {} retrieves {}{}.", query, join(keys, ", "),
                     count > most_named ? fmt::format(" and {} more", count - most_named) : "");
}

std::string query_remark(const ParameterValues& values, const Work& work) {
  const std::string answer = answer_remark(values, work), tensors = memory_remark(values);
  return answer.empty() || tensors.empty() ? answer + tensors : answer + " " + tensors;
}

Result<void> check_query(const ParameterValues& values) {
  if (auto checked = check_retrieval_values(values); !checked) return checked;
  const Index query = values.integer("query"), length = values.integer("q_length");
  if (query < length) return {};
  return invalid("query is {} but must be below {}, the number of tokens", query, length);
}

std::vector<ParameterSpec> query_parameters() {
  auto specs = retrieval_parameters();
  add_parameter(specs, "query", "Curve", "Position of the query whose retrieved keys are shown.",
                {.label = "Query position",
                 .default_value = Index{-1},
                 .minimum = -1,
                 .maximum = 131071,
                 .unit = "tokens",
                 .automatic = "the last token"});
  add_parameter(specs, "retrieved", "Curve", "Quantity to plot for each retrieved key.",
                {.label = "Retrieved keys",
                 .default_value = std::string("score"),
                 .choices = {{"score", "score q·k"},
                             {"weight", "attention weight in the output"},
                             {"position", "position of the key"},
                             {"distance", "number of tokens between key and query"}}});
  specs.push_back(words_parameter());
  return specs;
}

}  // namespace

Method memorizing_query_method() {
  return {.id = "memorizing_query",
          .title = "Retrieved keys of one query",
          .help = "Positions, scores and weights of the keys that one query retrieves.",
          .citation = retrieval_citation(),
          .parameters = query_parameters(),
          .check = check_query,
          .remark = query_remark,
          .recipe = CurveRecipe{.make = make_query, .origin = CurveOrigin::measured}};
}

}  // namespace vqscope
