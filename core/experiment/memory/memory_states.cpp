// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/memory/memory_states.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

void look_at_largest(Index segment, MemoryStates& states) {
  for (const auto quantity : {MemoryQuantity::matrix, MemoryQuantity::normalised, MemoryQuantity::change}) {
    double& largest = states.largest[static_cast<std::size_t>(quantity)];
    for (Index row = 0; row < states.d_k; ++row)
      for (Index col = 0; col < states.d_v; ++col)
        largest = std::max(largest, std::abs(states.shown(quantity, segment, row, col)));
  }
}

}  // namespace

Result<MemoryStates> fill_memory(const MemorySetting& setting, InfiniRule rule, const Work& work) {
  const MemoryTokens tokens = memory_tokens(setting, work.stop);
  if (work.stop.stop_requested()) return cancelled();
  InfiniMemory memory(tokens.d_k, tokens.d_v);
  MemoryStates states{.d_k = tokens.d_k, .d_v = tokens.d_v};
  const Index segments = segments_of(setting);
  for (Index segment = 0; segment < segments; ++segment) {
    store_segment(setting, tokens, segment, rule, work.stop, memory);
    if (work.stop.stop_requested()) return cancelled();
    for (const double number : memory.matrix()) states.matrices.push_back(static_cast<float>(number));
    for (const double number : memory.normaliser()) states.normalisers.push_back(static_cast<float>(number));
    look_at_largest(segment, states);
    work.report(static_cast<double>(segment + 1) / static_cast<double>(segments));
  }
  return states;
}

}  // namespace vqscope
