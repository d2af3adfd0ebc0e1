// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/tensor_view.h"
#include "core/attention/workers.h"
#include "core/base/result.h"

#include <limits>
#include <vector>

namespace vqscope {

/// A key of the memory that a query has retrieved. Keys are ordered best first: the higher score,
/// then the lower position.
struct RetrievedKey {
  Index position = -1;  ///< -1: none; there are fewer keys than requested
  float score = -std::numeric_limits<float>::infinity();
  friend bool operator==(const RetrievedKey&, const RetrievedKey&) = default;
};

/// How the keys with the highest scores are searched.
enum class RetrievalSearch {
  exact,          ///< the top_k keys of all
  bucket_maximum  ///< the best key of each of top_k buckets; key i is in bucket i mod top_k (meliad's MemoryOnTpu)
};

struct SearchOptions {
  Index top_k = 32;
  RetrievalSearch search = RetrievalSearch::exact;
  int threads = 1;                            ///< the result does not depend on it
  const AttentionKernels* kernels = nullptr;  ///< null: the fastest
};

/// Maximum number of queries that find_keys searches together.
inline constexpr Index queries_searched_at_once = 64;

/// The definition, score by score in double: [queries, top_k], best first.
std::vector<RetrievedKey> define_found_keys(const StridedMatrix& queries, const StridedMatrix& keys,
                                            const SearchOptions& options);

/// The same in blocks of products, for at most queries_searched_at_once queries, on the caller's
/// thread. `found` is [queries, top_k], undefined after a stop.
void find_keys_of_block(const StridedMatrix& queries, const StridedMatrix& keys, const SearchOptions& options,
                        Scratch& scores, const std::stop_token& stop, RetrievedKey* found);

/// The same for any number of queries, divided among threads. Refuses top_k below 1 or above the
/// number of keys, and queries of another width than the keys.
Result<std::vector<RetrievedKey>> find_keys(const StridedMatrix& queries, const StridedMatrix& keys,
                                            const SearchOptions& options, const Work& work = {});

}  // namespace vqscope
