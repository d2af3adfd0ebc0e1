// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/setting/schedule_parameters.h"

#include "core/base/sentence.h"
#include "core/schedule/text/layer_texts.h"
#include "core/sequence/query_layout.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

constexpr double most_tokens = 2147483648.0;
constexpr std::array kinds{LayerAttention::full,   LayerAttention::sliding,    LayerAttention::chunked,
                           LayerAttention::sparse, LayerAttention::compressed, LayerAttention::state,
                           LayerAttention::none};

ParameterSpec size_parameter(std::string name, std::string help, Index default_value, double minimum, double maximum) {
  return make_parameter(std::move(name), "Model", std::move(help),
                        {.default_value = default_value, .minimum = minimum, .maximum = maximum});
}

ParameterSpec query_parameter() {
  return make_parameter("query", "View", "Query whose reach is shown, counted from the first token after the cache.",
                        {.role = ParameterRole::tokens,
                         .default_value = Index{-1},
                         .minimum = -1,
                         .maximum = most_tokens,
                         .automatic = "the last token that is not padding"});
}

ParameterSpec rule_parameter() {
  ParameterSpec spec =
      make_parameter("document_rule", "Documents",
                     "Kinds of layers that keep to documents: attention masks other documents, a state is reset.",
                     {.default_value = std::vector<std::string>{"full", "sliding", "chunked", "sparse", "compressed"}});
  for (const LayerAttention kind : kinds)
    if (kind != LayerAttention::none) spec.choices.push_back({name_of(kind), name_of(kind) + " layers"});
  return spec;
}

ParameterSpec crossing_parameter() {
  return make_parameter("crossing_layers", "Documents",
                        "Layers without the document rule, whatever their kind, counted from 0.",
                        {.default_value = std::vector<Index>(),
                         .minimum = 0,
                         .maximum = static_cast<double>(most_layers - 1),
                         .automatic = "none",
                         .most_items = most_layers});
}

}  // namespace

std::vector<ParameterSpec> schedule_parameters() {
  auto repeat = size_parameter("num_hidden_layers", "Number of layers: the list is repeated or cut to it.", 62, 0,
                               static_cast<double>(most_layers));
  repeat.automatic = "as many as layers lists";
  return {
      make_parameter("layers", "Model",
                     "Layers from the first to the last, as 5*sliding:1024,full: full, sliding:N, chunked:N, sparse:N, "
                     "compressed:N, state or none, with attributes such as nope, sink or shares=LAYER after a space.",
                     {.kind = ParameterKind::text, .default_value = std::string("5*sliding:1024,full")}),
      std::move(repeat),
      size_parameter("num_key_value_heads", "Number of key/value heads of layers that state none.", 16, 1, 65536),
      size_parameter("head_dim", "Dimensions per head of layers that state none.", 128, 1, 65536)};
}

Result<LayerSchedule> schedule_from(const ParameterValues& values) {
  auto schedule = parse_layers(values.text("layers"), values.integer("num_hidden_layers"));
  if (!schedule) return schedule;
  for (ModelLayer& layer : schedule->layers) {
    if (!attends(layer)) continue;
    if (layer.num_key_value_heads == 0) layer.num_key_value_heads = values.integer("num_key_value_heads");
    if (layer.head_dim == 0) layer.head_dim = values.integer("head_dim");
  }
  return schedule;
}

ParameterValues schedule_values(const LayerSchedule& schedule) {
  ParameterValues values = default_values(schedule_parameters());
  values.set("layers", layers_text(schedule));
  values.set("num_hidden_layers", Index{0});
  return values;
}

std::vector<ParameterSpec> reach_parameters() {
  std::vector<ParameterSpec> specs = schedule_parameters();
  specs.push_back(query_parameter());
  for (auto& spec : query_parameters(SequenceUse::positions, 131072)) specs.push_back(std::move(spec));
  specs.push_back(rule_parameter());
  specs.push_back(crossing_parameter());
  return specs;
}

SequenceOfLayers tokens_of(const SequenceLayout& layout) {
  SequenceOfLayers tokens = SequenceOfLayers::plain(layout.kv_length());
  tokens.valid = {0, 0};
  for (const TokenRun& run : layout.kv_runs()) {
    if (!run.valid) continue;
    if (tokens.document_lengths.empty()) tokens.valid.begin = run.tokens.begin;
    tokens.valid.end = run.tokens.end;
    tokens.document_lengths.push_back(run.tokens.size());
  }
  return tokens;
}

Result<LayerSight> sight_from(const ParameterValues& values, LayerSchedule schedule) {
  const auto layout = SequenceLayout::make(sequence_input(values));
  if (!layout) return layout.error();
  SequenceOfLayers tokens = tokens_of(*layout);
  const auto& rule = values.choices("document_rule");
  for (const LayerAttention kind : kinds)
    tokens.keeps_documents[static_cast<std::size_t>(kind)] = std::ranges::count(rule, name_of(kind)) > 0;
  tokens.crossing_layers = values.integers("crossing_layers");
  return LayerSight::make(std::move(schedule), std::move(tokens));
}

Result<LayerSight> sight_from(const ParameterValues& values) {
  auto schedule = schedule_from(values);
  if (!schedule) return schedule.error();
  return sight_from(values, std::move(*schedule));
}

Result<Index> query_token(const LayerSight& sight, const ParameterValues& values) {
  const Index query = values.integer("query"), length = values.integer("q_length");
  if (query < 0) return sight.sequence().valid.end - 1;
  if (query >= length) return invalid("query is {} but must be -1 to {}", query, length - 1);
  return values.integer("past_len") + query;
}

}  // namespace vqscope
