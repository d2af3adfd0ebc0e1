// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/documents_fit.h"

#include "core/sequence/sequence_layout.h"

#include <algorithm>
#include <numeric>

namespace vqscope {

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
