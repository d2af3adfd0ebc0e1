// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/codebook/quantiser.h"
#include "core/attention/memory/infini_attention.h"
#include "core/base/index.h"
#include "core/experiment/long_context/context_systems.h"
#include "core/experiment/memory/memory_setting.h"

#include <map>
#include <vector>

namespace vqscope {

/// What k-means has learnt from the keys.
struct ContextCodebooks {
  std::vector<float> codewords;  ///< of vq, [n_code, d_k]
  std::vector<float> centroids;  ///< of clustered, [n_cluster, d_k]
};

/// What a head learns of how it reads: factors of its scores and of the queries and keys of a matrix.
struct ContextRead {
  double sharpness = 1;
  std::size_t stored = 0;  ///< place in ContextOptions::stored_scales
};

struct ContextOptions {
  std::vector<ContextSystem> systems;       ///< that outputs are asked of; empty: all
  std::vector<double> stored_scales = {1};  ///< of σ(s k) and σ(s q) of the matrices
  /// Distance that the head's positional bias prefers; 0: none. Memories of earlier segments have no
  /// positions, and VQ attention has them up to block_len.
  Index copied_distance = 0;

  bool asks(ContextSystem system) const;
};

/// The two outputs that a gate mixes.
struct ContextParts {
  std::vector<double> local;
  std::vector<double> memory;  ///< empty: no gate, or nothing is in the memory yet
};

/// Outputs of each system for the newest tokens of a growing sequence. Lengths must be requested in
/// ascending order.
class ContextOutputs {
 public:
  /// The tokens, whose keys have been normalised, must outlive this.
  ContextOutputs(const MemoryTokens& tokens, const ContextSizes& sizes, ContextCodebooks codebooks,
                 ContextOptions options = {});

  /// Adds the tokens up to `length`, except the newest segment. `length` must not decrease.
  void go_on_to(Index length, const std::stop_token& stop);

  /// Tokens of the newest segment of go_on_to.
  Range newest() const { return {m_taken, m_length}; }

  /// The parts of the output of the last of the first `tokens` tokens, which must be in newest().
  ContextParts parts(ContextSystem system, Index tokens, const ContextRead& read = {}) const;

 private:
  using Sums = std::vector<double>;
  std::vector<std::int32_t> codes_of(const Quantiser& quantiser, const float* rows, Index count) const;
  void take(Range segment, const std::stop_token& stop);
  void pool(Index until);
  Sums attend(const float* query, const std::vector<Range>& keys, Index newest, const ContextRead& read) const;
  Sums compressed(const float* query, Index tokens, const ContextRead& read) const;
  Sums retrieve(const float* query, const ContextRead& read) const;
  Sums routed(const float* query, const ContextRead& read) const;
  Sums recalled(ContextSystem system, Index token, const ContextRead& read) const;
  Sums by_codes(const float* query, Index tokens, const ContextRead& read) const;
  double bias_at(Index distance) const;

  const float* query(Index token) const { return m_tokens.queries.data() + token * m_sizes.d_k; }
  const float* key(Index token) const { return m_tokens.keys.data() + token * m_sizes.d_k; }
  const float* value(Index token) const { return m_tokens.values.data() + token * m_sizes.d_v; }

  const MemoryTokens& m_tokens;
  ContextSizes m_sizes;
  ContextCodebooks m_codebooks;
  ContextOptions m_options;
  Quantiser m_codewords, m_centroids;
  Index m_taken = 0;                                              ///< tokens of complete earlier segments
  Index m_length = 0;                                             ///< of go_on_to
  std::map<ContextSystem, std::vector<InfiniMemory>> m_memories;  ///< one for each stored scale
  std::vector<std::int32_t> m_codes;                              ///< of the newest tokens, and of a block before them
  Index m_codes_from = 0;
  std::vector<double> m_counts;                ///< number of keys of earlier segments, by code
  std::vector<double> m_sums;                  ///< sums of their values, [n_code, d_v]
  std::vector<std::vector<Index>> m_clusters;  ///< tokens of earlier segments, by centroid
  std::vector<float> m_pooled_keys;            ///< [groups, d_k], all groups that are complete
  std::vector<float> m_pooled_values;          ///< [groups, d_v]
};

}  // namespace vqscope
