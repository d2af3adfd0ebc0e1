// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/query_layout.h"

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
