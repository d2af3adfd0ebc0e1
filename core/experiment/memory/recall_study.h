// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/tensor_view.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/experiment/memory/memory_setting.h"

#include <vector>

namespace vqscope {

/// Full causal attention of one query, split where its segment begins.
struct FarWeights {
  double far_sum = 0;    ///< log of the sum of exp(q·k) over keys of earlier segments; -infinity: none
  double local_sum = 0;  ///< the same over keys of its own segment up to itself

  /// Fraction of the weight of all keys on keys of earlier segments.
  double fraction() const;
};

/// For each query of `rows`. Queries and keys are [T, d_k].
Result<std::vector<FarWeights>> far_weights(const StridedMatrix& queries, const StridedMatrix& keys, Index segment_len,
                                            Range rows, const Work& work = {});

/// Maximum number of queries that are evaluated: the last ones that have a memory.
inline constexpr Index most_recall_queries = 256;
Range recall_queries(const MemorySetting& setting);

/// Results for one size of the memory.
struct RecallPoint {
  double planted = 0;          ///< fraction of queries that retrieve the key planted for them
  double planted_bucket = 0;   ///< the same with the best key of each bucket
  double bucket = 0;           ///< fraction of the exact top_k that are best keys of a bucket
  double far_weight = 0;       ///< fraction of full attention's weight on earlier segments on retrieved keys
  double memory_fraction = 0;  ///< fraction of the output's weight on retrieved keys
  double joint_fraction = 0;   ///< the same in one softmax over retrieved and local keys
};

/// Recall of queries from memories of different sizes.
class RecallStudy {
 public:
  RecallStudy(const RetrievalSetting& setting, const std::stop_token& stop);

  /// Computes full attention of the queries, with which all sizes are compared. Call before the
  /// first size.
  Result<void> prepare(const Work& work);
  Result<RecallPoint> at(Index memory_len, Index top_k, const std::stop_token& stop) const;

  bool planted() const { return !m_tokens.matches.empty(); }
  /// Fraction of the weight of full attention on earlier segments.
  double full_far_fraction() const;

 private:
  RecallPoint measured(const std::vector<RetrievedKey>& exact, const std::vector<RetrievedKey>& bucket,
                       const RetrievalOutput& chosen, Index top_k) const;

  RetrievalSetting m_setting;
  MemoryTokens m_tokens;
  Range m_queries;
  std::vector<FarWeights> m_far;
};

/// If top_k keys fall into as many buckets at random, the expected fraction of them that are the
/// best of their bucket, which is the expected fraction of non-empty buckets: 1 - (1 - 1/k)^k.
double expected_bucket_recall(Index top_k);

/// Multiplications and additions, and bytes, that the last query needs.
struct RecallCost {
  double search = 0, attention = 0, full = 0, bytes = 0;
};

RecallCost recall_cost(const RetrievalSetting& setting, Index memory_len, Index top_k);

}  // namespace vqscope
