// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/encoding/own/rotated_pair.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/sequence/query_layout.h"

#include <cmath>

namespace vqscope {
namespace {

const std::string group = "Positions";

/// How an implementation looks up cos and sin. A new token is one that is not in the cache.
const std::vector<Choice> position_errors{
    {"none", "queries and keys at their positions"},
    {"restarted", "positions of new tokens restart at 0 beside a cache: both their queries and their keys"},
    {"queries_restarted", "positions of queries restart at 0, keys keep theirs"},
    {"past_len_twice", "past_len is added twice to the positions of queries"},
    {"keys_by_column", "keys are looked up by their column instead of k_position_ids"},
    {"both_by_column", "queries and keys are looked up by row and column instead of position_ids"}};

ParameterSpec position_list(const char* name, const char* help, const char* automatic) {
  return make_parameter(name, group, help,
                        {.default_value = std::vector<Index>{},
                         .minimum = -2147483648.0,
                         .maximum = 2147483648.0,
                         .automatic = automatic});
}

std::vector<ParameterSpec> scaling_specs() {
  auto specs = rope_scaling_parameters();
  for (auto& spec : specs) {
    if (spec.name != "head_dim") continue;
    spec.help = "Number of dimensions of sampled vectors. An odd head is rotated with a dummy coordinate at its end.";
    spec.minimum = 1;
  }
  return specs;
}

/// With the sizes of vectors of `dims` numbers.
RopeScaling scaling_of(const ParameterValues& values, Index dims) {
  RopeScaling scaling = rope_scaling_from(values);
  scaling.head_dim = even_size(dims);
  return scaling;
}

Result<std::vector<Index>> positions_of(const ParameterValues& values, const char* name, const char* length,
                                        Index count, Index first) {
  const auto& given = values.integers(name);
  if (!given.empty() && static_cast<Index>(given.size()) != count)
    return invalid("{} has {} items but must have {} = {}, one per token, or none", name, given.size(), length, count);
  if (!given.empty()) return given;
  std::vector<Index> positions;
  for (Index i = 0; i < count; ++i) positions.push_back(first + i);
  return positions;
}

Result<RotaryPositions> stated_positions(const ParameterValues& values, const SequenceLayout& layout) {
  auto q = positions_of(values, "q_position_ids", "q_length", layout.q_length(), layout.past_len());
  if (!q) return q.error();
  auto k = positions_of(values, "k_position_ids", "kv_length", layout.kv_length(), 0);
  if (!k) return k.error();
  return RotaryPositions{std::move(*q), std::move(*k)};
}

RotaryPositions wrong_positions(const RotaryPositions& right, const std::string& error, Index past_len) {
  RotaryPositions wrong = right;
  const auto number = [](std::vector<Index>& positions, std::size_t first) {
    for (std::size_t i = first; i < positions.size(); ++i) positions[i] = static_cast<Index>(i - first);
  };
  if (error == "restarted" || error == "queries_restarted" || error == "both_by_column") number(wrong.q, 0);
  if (error == "restarted") number(wrong.k, static_cast<std::size_t>(past_len));
  if (error == "keys_by_column" || error == "both_by_column") number(wrong.k, 0);
  if (error == "past_len_twice")
    for (Index& each : wrong.q) each += past_len;
  return wrong;
}

}  // namespace

std::vector<ParameterSpec> rotary_setting_parameters() {
  auto specs = sequence_parameters(SequenceUse::lengths, 128);
  for (auto& spec : own_vector_parameters()) specs.push_back(std::move(spec));
  specs.push_back(position_list("q_position_ids", "Position of each query.", "past_len, past_len + 1, …"));
  specs.push_back(position_list("k_position_ids", "Position of each key.", "0, 1, 2, …"));
  add_parameter(specs, "position_error", group, "Wrong lookup of cos and sin.",
                {.label = "Wrong lookup", .default_value = std::string("none"), .choices = position_errors});
  add_parameter(specs, "shown", group, "Scores, or the damage of the wrong lookup.",
                {.default_value = std::string("scores"),
                 .choices = {{"scores", "scores as computed"},
                             {"error", "scores as computed minus scores at the right positions"}}});
  add_parameter(specs, "divide_by_sqrt", "Vectors",
                "Divides scores by the square root of head_dim, as attention does before the softmax.",
                {.label = "Divide by √d", .default_value = false});
  for (auto& spec : scaling_specs()) specs.push_back(std::move(spec));
  specs.push_back(pair_layout_parameter());
  return specs;
}

Result<void> check_rotary_setting(const ParameterValues& values) {
  const auto layout = own_query_layout(values);
  if (!layout) return layout.error();
  if (auto checked = check_own_vectors(values, layout->q_length(), layout->kv_length()); !checked) return checked;
  if (layout->past_len() > layout->kv_length())
    return invalid("past_len is {} but must be at most kv_length = {}", layout->past_len(), layout->kv_length());
  if (const auto positions = stated_positions(values, *layout); !positions) return positions.error();
  if (values.choice("vectors") == "tensors") return {};  // the file decides the size
  return scaling_of(values, values.integer("head_dim")).check();
}

Result<RotarySetting> rotary_setting(const ParameterValues& values, const std::stop_token& stop) {
  const auto layout = own_query_layout(values);
  if (!layout) return layout.error();
  auto positions = stated_positions(values, *layout);
  if (!positions) return positions.error();
  auto vectors = own_vectors(values, layout->q_length(), layout->kv_length(), stop);
  if (!vectors) return vectors.error();
  RotarySetting setting{.vectors = std::move(*vectors),
                        .scaling = {},
                        .layout = pair_layout_of(values.choice("pair_layout")),
                        .positions = std::move(*positions),
                        .wrong_positions = {}};
  setting.scaling = scaling_of(values, setting.vectors.dims);
  if (auto checked = setting.scaling.check(); !checked) return checked.error();
  setting.wrong_positions = wrong_positions(setting.positions, values.choice("position_error"), layout->past_len());
  if (values.boolean("divide_by_sqrt")) setting.score_scale = 1 / std::sqrt(static_cast<double>(setting.vectors.dims));
  setting.shows_error = values.choice("shown") == "error";
  return setting;
}

}  // namespace vqscope
