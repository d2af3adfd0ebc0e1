// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/memory/compressive_attention.h"
#include "core/attention/memory/infini_attention.h"
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
  sinks,           ///< the newest keys and the first keys
  transformer_xl,  ///< the segment so far and the memory before it
  compressive,     ///< the same, and compressed keys before them
  memorizing,      ///< the segment so far and the best keys of a memory
  clustered,       ///< the segment so far and earlier keys of the query's cluster
  infini_linear,   ///< the segment so far and a matrix that sums earlier segments
  infini_delta,
  vq  ///< all keys, each replaced by its codeword
};

struct ContextSystemInfo {
  ContextSystem system;
  std::string id;
  std::string help;
};
std::span<const ContextSystemInfo> context_system_infos();

/// Sizes for one head and layer, except `layers`.
struct ContextSizes {
  Index d_k = 64;
  Index d_v = 64;
  Index segment_len = 512;
  Index window = 1024;
  Index sinks = 4;
  Index xl_memory_len = 512;  ///< of Transformer-XL and of the compressive memory
  Index compressed_len = 512;
  Index compression_rate = 4;
  Compression compression = Compression::mean;
  Index memory_len = 8192;  ///< number of keys that are searched
  Index top_k = 32;
  Index n_cluster = 64;
  Index n_code = 64;
  Index block_len = 128;  ///< block length of VQ attention
  Index layers = 12;

  CompressiveOptions compressive() const {
    return {segment_len, xl_memory_len, compressed_len, compression_rate, compression};
  }
};

/// Whether the memory of a system has a size that is chosen: a window, a number of keys, of clusters
/// or of codewords.
bool has_size(ContextSystem system);
/// What these sizes are multiplied by, to compare errors and costs.
inline constexpr double memory_factors[]{0.25, 0.5, 1, 2, 4};
/// All of these sizes times `factor`.
ContextSizes scaled_memory(ContextSizes sizes, double factor);

/// Cost of computing only the newest of `tokens` tokens, as in decoding, with float32 numbers.
/// Counted.
struct ContextCosts {
  double reach = 0;       ///< tokens that can influence it through all layers
  double bytes = 0;       ///< memory that one head and layer keep
  double operations = 0;  ///< floating-point operations of one head and layer
};
ContextCosts costs_of(ContextSystem system, const ContextSizes& sizes, Index tokens);

/// Keys that the newest of `tokens` tokens sees one by one: at most two ranges, ascending. Excludes
/// compressed and retrieved keys, those of clusters, matrices and codewords; VQ has none.
std::vector<Range> seen_directly(ContextSystem system, const ContextSizes& sizes, Index tokens);

/// The update rule; empty: the system has no matrix.
std::optional<InfiniRule> infini_rule_of(ContextSystem system);

}  // namespace vqscope
