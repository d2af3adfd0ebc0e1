// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/query_layout.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace vqscope {

std::vector<ParameterSpec> query_parameters(SequenceUse use, Index default_q_length) {
  auto specs = sequence_parameters(use, default_q_length);
  std::erase_if(specs, [](const ParameterSpec& spec) { return spec.name == "kv_length"; });
  return specs;
}

Result<SequenceLayout> own_query_layout(const ParameterValues& values) {
  auto input = sequence_input(values);
  input.query_source = QuerySource::own;
  return SequenceLayout::make(input);
}

ParameterSpec position_ids_parameter() {
  return make_parameter("position_ids", "Sequence",
                        "Position of each query, by which a model gathers the rows of its tables.",
                        {.label = "Position ids",
                         .default_value = std::vector<Index>{},
                         .minimum = 0,
                         .maximum = 2147483648.0,
                         .automatic = "positions of the sequence"});
}

Result<SequenceLayout> layout_at_position_ids(const ParameterValues& values) {
  auto layout = SequenceLayout::make(sequence_input(values));
  if (!layout || !values.find("position_ids") || values.integers("position_ids").empty()) return layout;
  const auto& positions = values.integers("position_ids");
  if (static_cast<Index>(positions.size()) != layout->q_length())
    return invalid("position_ids has {} items but must have q_length = {}, one per token, or none", positions.size(),
                   layout->q_length());
  return layout->with_query_positions(positions);
}

std::optional<Index> q_length_of_documents(const ParameterValues& values) {
  const SequenceInput input = sequence_input(values);
  const auto& lengths = input.document_lengths;
  if (lengths.empty() || input.kv_length > 0) return std::nullopt;
  const Index padding = std::max<Index>(0, input.padding);
  const Index queries = std::accumulate(lengths.begin(), lengths.end(), Index{0}) + padding - input.past_len;
  const auto specs = sequence_parameters(SequenceUse::lengths, 1);
  return check_value(*find_spec(specs, "q_length"), queries) ? std::optional(queries) : std::nullopt;
}

}  // namespace vqscope
