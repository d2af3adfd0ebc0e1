// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention_input.h"

namespace vqscope {

inline constexpr Index keys_quantised_at_once = 512;

/// How many pieces of a size cover a count, the last one perhaps shorter.
inline Index pieces_of(Index count, Index size) { return (count + size - 1) / size; }

/// How the linear form cuts its work: lengths that everything follows from.
struct LinearPlan {
  LinearPlan(const AttentionInput& input, const AttentionOptions& options);

  /// Of some blocks, as far as they lie within the sequence.
  Range tokens(Range some) const;

  Index length;
  Index block_len;
  Index blocks;
  Index before;   ///< explicit blocks before a query's own
  Index wave;     ///< blocks
  Index queries;  ///< of one item of work
  Index pieces;   ///< such items in a block, for each head
};

/// Bytes that the work needs, about.
double linear_attention_memory(const AttentionInput& input, const AttentionOptions& options);

}  // namespace vqscope
