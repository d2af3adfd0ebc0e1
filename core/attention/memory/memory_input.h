// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/tensor_view.h"

namespace vqscope {

/// Input of attention with a memory: q [heads, T, d_k], k [kv heads, T, d_k], v [kv heads, T, d_v].
/// Scores are q·k without a scale. The number of heads of q is a multiple of that of k.
struct MemoryInput {
  TensorView q, k, v;

  Index kv_head(Index head) const { return head / (q.heads / k.heads); }
};

}  // namespace vqscope
