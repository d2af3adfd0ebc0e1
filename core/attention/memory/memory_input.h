// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/tensor_view.h"
#include "core/base/result.h"

#include <vector>

namespace vqscope {

/// Input of attention with a memory: q [heads, T, d_k], k [kv heads, T, d_k], v [kv heads, T, d_v].
/// Scores are q·k without a scale. The number of heads of q is a multiple of that of k.
struct MemoryInput {
  TensorView q, k, v;

  Index kv_head(Index head) const { return head / (q.heads / k.heads); }
};

/// Refuses tensors without numbers, and q, k and v that disagree on tokens, heads or d_k.
Result<void> check_memory_shapes(const MemoryInput& input);

/// Refuses a segment_len that is not 1 to the number of tokens.
Result<void> check_segment_len(Index segment_len, Index tokens);

/// Refuses a gate that has neither one number for all heads nor one per head, and numbers that are
/// not finite.
Result<void> check_gate(const std::vector<double>& gate, Index heads);

/// Refuses numbers that are not finite, and scores that are too large for float32.
Result<void> check_memory_numbers(const MemoryInput& input);

/// Refuses more bytes than `limit`; 0: no limit.
Result<void> check_memory_limit(double needed, double limit, Index tokens);

/// The gate b of a head.
inline double gate_of(const std::vector<double>& gate, Index head) {
  return gate[gate.size() == 1 ? 0 : static_cast<std::size_t>(head)];
}

}  // namespace vqscope
