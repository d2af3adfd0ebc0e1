// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/query_layout.h"

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

}  // namespace vqscope
