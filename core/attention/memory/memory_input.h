// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/tensor_view.h"

namespace vqscope {

/// What attention with a memory is computed of: q [heads, T, d_k], k [kv heads, T, d_k], v [kv heads, T, d_v]. Scores
/// are q·k: nothing else scales them. The heads of q are a multiple of those of k.
struct MemoryInput {
  TensorView q, k, v;

  Index kv_head(Index head) const { return head / (q.heads / k.heads); }
};

}  // namespace vqscope
