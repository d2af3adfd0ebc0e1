// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/memory/memory_input.h"
#include "core/attention/memory/retrieval_search.h"

#include <vector>

namespace vqscope {

/// How local attention and retrieved keys make one output.
enum class MemoryMixing {
  gate,  ///< (1 - g) softmax(local) + g softmax(retrieved), g = sigmoid(b) of each head (Wu et al. 2022; meliad)
  joint  ///< one softmax over retrieved and local keys (lucidrains' memorizing transformers)
};

struct RetrievalOptions {
  Index segment_len = 512;  ///< a query sees the keys of its own segment up to itself
  Index memory_len = 8192;  ///< keys of earlier segments that are kept, the newest
  Index top_k = 32;         ///< of them that a query retrieves; all where there are fewer
  MemoryMixing mixing = MemoryMixing::gate;
  std::vector<double> gate = {0};  ///< b, of all heads or of each; of MemoryMixing::gate
  RetrievalSearch search = RetrievalSearch::exact;
  int threads = 1;                            ///< the result does not depend on it
  double memory_limit = 0;                    ///< bytes for the output and the work; 0: no limit
  const AttentionKernels* kernels = nullptr;  ///< null: the fastest
};

/// Of some queries.
struct RetrievalOutput {
  std::vector<float> values;            ///< [heads, queries, d_v]
  std::vector<RetrievedKey> retrieved;  ///< [heads, queries, top_k], best first, their positions those of k
  std::vector<float> weights;           ///< of each retrieved key in the output, 0 where there is none
  std::vector<float> memory_share;      ///< [heads, queries]: sum of these weights; local keys have the rest
  std::vector<double> local_log_sum;    ///< [heads, queries]: a local key has the weight exp(q·k - this)
};

/// Keys that the queries of a segment may retrieve. A first segment has none: its output is local attention, ungated.
Range memory_range(Index query, const RetrievalOptions& options);

/// Retrieval attention query by query in double. Input and options must fit together.
class RetrievalDefinition {
 public:
  /// Both must outlive this.
  RetrievalDefinition(const MemoryInput& input, const RetrievalOptions& options) : m_in(input), m_options(options) {}

  /// Best first; as many as there are, at most top_k.
  std::vector<RetrievedKey> retrieved(Index head, Index query) const;
  /// Of every key, [T].
  std::vector<double> weights(Index head, Index query) const;
  /// [d_v].
  std::vector<double> output(Index head, Index query) const;

 private:
  const MemoryInput& m_in;
  const RetrievalOptions& m_options;
};

/// Refuses with one sentence shapes and sizes that do not fit together, and more memory than the limit.
Result<void> check_retrieval(const MemoryInput& input, const RetrievalOptions& options, Range queries);

/// Bytes for the output and the work, about.
double retrieval_memory(const MemoryInput& input, const RetrievalOptions& options, Range queries);

/// The output of `queries`. Refuses what check_retrieval does and numbers that are not finite.
Result<RetrievalOutput> retrieval_attention(const MemoryInput& input, const RetrievalOptions& options, Range queries,
                                            const Work& work = {});

}  // namespace vqscope
