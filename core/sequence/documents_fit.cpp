// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/documents_fit.h"

#include "core/sequence/sequence_layout.h"

#include <numeric>

namespace vqscope {

std::optional<Index> q_length_of_documents(const ParameterValues& values) {
  const SequenceInput input = sequence_input(values);
  const auto& lengths = input.document_lengths;
  if (lengths.empty() || input.kv_length > 0) return std::nullopt;
  const Index keys = std::accumulate(lengths.begin(), lengths.end(), Index{0}) + input.padding;
  return keys > input.past_len ? std::optional(keys - input.past_len) : std::nullopt;
}

}  // namespace vqscope
