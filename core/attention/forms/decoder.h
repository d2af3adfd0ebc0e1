// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/codebook/quantiser.h"
#include "core/attention/forms/attention.h"
#include "core/attention/forms/form_parts.h"

namespace vqscope {

/// VQ attention token by token, in constant time and memory per token. Gives the same result as the
/// linear form over all tokens at once. One head of keys and values, any number of query heads.
class VqDecoder {
 public:
  /// `codebook` [1, n_code, d_k] must outlive this. Uses the options block_len, agg_cache and
  /// kernels.
  static Result<VqDecoder> make(const TensorView& codebook, Index heads, Index d_v, const LocalBias& bias,
                                const AttentionOptions& options);

  /// Adds a key [d_k] and its value [d_v] and attends with its queries [heads, d_k]; out [heads,
  /// d_v]. All numbers must be finite.
  void step(const float* queries, const float* key, const float* value, float* out);

  Index length() const { return m_length; }
  /// Tokens that are kept one by one: at most (explicit blocks + 1) · block_len.
  Index kept() const { return static_cast<Index>(m_codes.size()); }

 private:
  VqDecoder(const TensorView& codebook, Index heads, Index d_v, const LocalBias& bias, const AttentionOptions& options);
  void begin_block();

  AttentionOptions m_options;
  const AttentionKernels* m_kernels;
  Quantiser m_quantiser;
  std::vector<HeadBias> m_biases;
  Index m_d_v;
  Index m_before;  ///< blocks that are kept before the newest
  Index m_length = 0;
  Index m_first = 0;  ///< the oldest token that is kept
  std::vector<std::int32_t> m_codes;
  std::vector<float> m_values;
  CacheStates m_states;  ///< two, used alternately
  Index m_state = 0;
  LinearWorker m_worker;
};

}  // namespace vqscope
