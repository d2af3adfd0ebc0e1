// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/memory/infini_memory.h"
#include "core/base/index.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// Ways to attend to a long sequence.
enum class ContextSystem {
  full,
  window,          ///< the newest keys
  sinks,           ///< the same, and the first keys
  transformer_xl,  ///< the segment so far and the memory before it
  memorizing,      ///< the segment so far and the best keys of a memory
  infini_linear,   ///< the segment so far and a matrix that earlier segments were added to
  infini_delta,
  vq  ///< all keys, each by its codeword
};

struct ContextSystemInfo {
  ContextSystem system;
  std::string id;
  std::string help;
};
std::span<const ContextSystemInfo> context_system_infos();

/// Of one head and layer, but for `layers`.
struct ContextSizes {
  Index d_k = 64;
  Index d_v = 64;
  Index segment_len = 512;
  Index window = 1024;
  Index sinks = 4;
  Index xl_memory_len = 512;
  Index memory_len = 8192;  ///< keys that are searched
  Index top_k = 32;
  Index n_code = 64;
  Index block_len = 128;  ///< of VQ attention
  Index layers = 12;
};

/// What the newest of `tokens` costs where only it is computed, as in decoding, with float32 numbers. Counted.
struct ContextCosts {
  double reach = 0;       ///< tokens that can influence it through all layers
  double bytes = 0;       ///< that one head and layer keep
  double operations = 0;  ///< floating-point ones of one head and layer
};
ContextCosts costs_of(ContextSystem system, const ContextSizes& sizes, Index tokens);

/// Keys that the newest of `tokens` sees one by one: at most two ranges, ascending. Retrieved ones, matrices and
/// codewords are not among them; VQ has none.
std::vector<Range> seen_directly(ContextSystem system, const ContextSizes& sizes, Index tokens);

/// Nothing: the system has no matrix.
std::optional<InfiniRule> infini_rule_of(ContextSystem system);

}  // namespace vqscope
