// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention_input.h"

namespace vqscope {

inline constexpr Index keys_quantised_at_once = 512;

/// Number of pieces of a size that cover a count; the last one may be shorter.
inline Index pieces_of(Index count, Index size) { return (count + size - 1) / size; }

/// How the linear form divides its work.
struct LinearPlan {
  LinearPlan(const AttentionInput& input, const AttentionOptions& options);

  /// Tokens of some blocks, clamped to the sequence.
  Range tokens(Range some) const;

  Index length;
  Index block_len;
  Index blocks;
  Index before;   ///< explicit blocks before a query's own
  Index wave;     ///< blocks per wave
  Index queries;  ///< queries per item of work
  Index pieces;   ///< items per block and head
};

/// Approximate bytes that the work needs.
double linear_attention_memory(const AttentionInput& input, const AttentionOptions& options);

}  // namespace vqscope
