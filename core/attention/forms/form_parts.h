// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/bias/local_bias.h"
#include "core/attention/forms/attention_input.h"
#include "core/attention/memory/cache.h"

namespace vqscope {

/// Scratch of scores_of_keys; each thread has its own.
struct ProductScratch {
  Scratch keys, far;
};

/// q·k of one head for queries and keys [cols] of `keys`, which replace input.k, with the late
/// rotation. Writes [queries, cols]; keys that are not valid have any score.
void scores_of_keys(const AttentionInput& input, AttentionForm form, Index head, const TensorView& keys, Range queries,
                    Range cols, const AttentionKernels& kernels, ProductScratch& scratch, float* out);

/// Scratch of HeadScores; each thread has its own.
struct ScoreScratch {
  ProductScratch products;
  Scratch relative;
  std::vector<Range> visible;
};

/// Rows of scores q·k + B of one head; -infinity where the query does not see the key.
class HeadScores {
 public:
  /// Both must outlive this.
  HeadScores(const AttentionInput& input, const AttentionOptions& options, Index head);

  /// Writes [queries, cols]. `keys` replace input.k. near_alone: blocks that would be cached are
  /// not visible.
  void fill(const TensorView& keys, Range queries, Range cols, bool near_alone, ScoreScratch& scratch,
            float* out) const;

  const HeadBias& bias() const { return m_bias; }

 private:
  Range seen(Index query, bool near_alone) const;

  const AttentionInput& m_input;
  const AttentionOptions& m_options;
  Index m_head;
  HeadBias m_bias;
};

/// A late rotation of a block of queries, all with their rows.
struct RotatedBlock {
  StridedMatrix queries;
  StridedMatrix codewords;    ///< of the keys that are seen one by one
  StridedMatrix far_queries;  ///< no rows: nothing is rotated
  Index window = 0;

  bool none() const { return far_queries.rows == 0; }
};

/// Keys that a block of queries sees: some one by one, all earlier ones through the cache. Codes are
/// rows of `codewords`.
struct SeenKeys {
  const CacheStates* cache = nullptr;  ///< null: nothing is cached
  Index state = 0;
  StridedMatrix codewords;              ///< those that the keys have, or more
  Index cached_codes = 0;               ///< so many of the first ones may be in the cache
  Index first = 0;                      ///< the first of the keys that are seen one by one
  const std::int32_t* codes = nullptr;  ///< from `first` on; -1: not valid
  StridedMatrix values;                 ///< from `first` on, 0 if the key is not valid; no rows: all keys are cached
  RotatedBlock rotation = {};
};

/// Numbers before each row of scores: a key that is not valid, code -1, reads the last of them.
inline constexpr Index score_margin = 16;

/// Scratch buffers of one worker.
struct LinearWorker {
  Scratch scores, weights, cache_factors, relative, values, means;
  std::vector<double> counts;
};

/// VQ attention of some queries (theorem 3.7 with remark 3.9). One product Q Cᵀ holds every score;
/// those of single keys are read from it by shortcode. Cached codes are multiplied by their counts
/// after the exponential, which equals adding ln n before it without loss of precision. One maximum
/// and one denominator cover both parts; weights are divided before they are multiplied by values.
/// Queries are first_query, first_query + 1, ...; out [queries, d_v] must be 0 before.
void linear_block(const StridedMatrix& queries, Index first_query, const SeenKeys& keys, const HeadBias& bias,
                  const AttentionKernels& kernels, LinearWorker& worker, const std::stop_token& stop, float* out);

inline constexpr Index strip_queries = 64;

/// The same where the score of a key depends on its code alone: causal, with a cache, without a bias
/// by distance or a clipped rotation. The block's own keys move into a copy of the cache as soon as
/// a strip of queries has passed them, so that few keys are multiplied one by one. Codes are ranks
/// (RankedCodes): the cached ones and those seen up to any key are the first ones.
void linear_strips(const StridedMatrix& queries, Index first_query, const SeenKeys& keys, const HeadBias& bias,
                   const AttentionKernels& kernels, LinearWorker& worker, const std::stop_token& stop, float* out);

inline constexpr Index keys_quantised_at_once = 128;

/// Number of pieces of a size that cover a count; the last one may be shorter.
inline Index pieces_of(Index count, Index size) { return (count + size - 1) / size; }

/// How the linear form divides its work.
struct LinearPlan {
  LinearPlan(const AttentionInput& input, const AttentionOptions& options);

  /// Tokens of some blocks, clamped to the sequence.
  Range tokens(Range some) const;

  Index length;
  Index block_len;
  Index blocks;
  Index before;   ///< explicit blocks before a query's own
  Index wave;     ///< blocks per wave
  Index queries;  ///< queries per item of work
  Index pieces;   ///< items per block and head
  bool by_code;   ///< scores depend on the codes alone: linear_strips computes them
};

/// Approximate bytes that the work needs.
double linear_attention_memory(const AttentionInput& input, const AttentionOptions& options);

/// Approximate bytes for the output and the work.
double attention_memory(const AttentionInput& input, const AttentionOptions& options);

/// Rough seconds of one core, for budgets: by the multiplications and exponentials, at speeds that
/// any processor of the last ten years has. Masks and blocks that are skipped make it less.
double attention_seconds(const AttentionInput& input, const AttentionOptions& options);

}  // namespace vqscope
