// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/memory/memory_input.h"
#include "core/attention/memory/retrieval_search.h"

#include <vector>

namespace vqscope {

/// How local attention and retrieved keys are combined.
enum class MemoryMixing {
  gate,  ///< (1 - g) softmax(local) + g softmax(retrieved), g = sigmoid(b) of each head (Wu et al. 2022; meliad)
  joint  ///< one softmax over retrieved and local keys (lucidrains' memorizing transformers)
};

struct RetrievalOptions {
  Index segment_len = 512;  ///< a query sees the keys of its own segment up to itself
  Index memory_len = 8192;  ///< number of newest keys of earlier segments that are kept
  Index top_k = 32;         ///< how many of them a query retrieves; all if there are fewer
  MemoryMixing mixing = MemoryMixing::gate;
  std::vector<double> gate = {0};  ///< b for MemoryMixing::gate, one for all heads or one per head
  RetrievalSearch search = RetrievalSearch::exact;
  int threads = 1;                            ///< the result does not depend on it
  double memory_limit = 0;                    ///< bytes for the output and the work; 0: no limit
  const AttentionKernels* kernels = nullptr;  ///< null: the fastest
};

/// Results for some queries.
struct RetrievalOutput {
  std::vector<float> values;            ///< [heads, queries, d_v]
  std::vector<RetrievedKey> retrieved;  ///< [heads, queries, top_k], best first; positions in k
  std::vector<float> weights;           ///< weight of each retrieved key in the output, 0 if there is none
  std::vector<float> memory_fraction;   ///< [heads, queries]: sum of these weights; local keys have the rest
  std::vector<double> local_log_sum;    ///< [heads, queries]: a local key has the weight exp(q·k - this)
};

/// Keys that the queries of a segment may retrieve. The first segment has none: its output is local
/// attention without a gate.
Range memory_range(Index query, const RetrievalOptions& options);

/// Retrieval attention query by query in double. Input and options must match.
class RetrievalDefinition {
 public:
  /// Both must outlive this.
  RetrievalDefinition(const MemoryInput& input, const RetrievalOptions& options) : m_in(input), m_options(options) {}

  /// The retrieved keys, best first; at most top_k.
  std::vector<RetrievedKey> retrieved(Index head, Index query) const;
  /// The weight of every key, [T].
  std::vector<double> weights(Index head, Index query) const;
  /// The output [d_v].
  std::vector<double> output(Index head, Index query) const;

 private:
  const MemoryInput& m_in;
  const RetrievalOptions& m_options;
};

/// Refuses shapes and sizes that do not match, and more memory than the limit.
Result<void> check_retrieval(const MemoryInput& input, const RetrievalOptions& options, Range queries);

/// Approximate bytes for the output and the work.
double retrieval_memory(const MemoryInput& input, const RetrievalOptions& options, Range queries);

/// The output of `queries`. Refuses what check_retrieval refuses, and numbers that are not finite.
Result<RetrievalOutput> retrieval_attention(const MemoryInput& input, const RetrievalOptions& options, Range queries,
                                            const Work& work = {});

}  // namespace vqscope
