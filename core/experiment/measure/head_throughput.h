// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention.h"
#include "core/experiment/measure/measured_time.h"

#include <stop_token>

namespace vqscope {

/// Heads of one type. The total output width is the same for every type, so that types can be
/// compared.
struct HeadShape {
  HeadType type = HeadType::shga;
  Index heads = 1;
  Index kv_heads = 1;
  Index d_k = 128;  ///< per head
  Index d_v = 512;  ///< per head
};

/// shga: one head with values `d_v` wide and a gate. mqa, mha: num_heads, which divides d_v, with
/// d_v / num_heads each; keys and values are one head's in mqa.
HeadShape head_shape(HeadType type, Index num_heads, Index d_k, Index d_v);

/// Bytes that HeadTokens holds.
double head_tokens_bytes(const HeadShape& shape, Index length, Index n_code);

/// Tokens for time measurements: normal numbers, repeating the first few thousand tokens, because
/// time does not depend on them. Scores have about the standard deviation of the paper's. Codewords
/// are sampled like keys.
class HeadTokens {
 public:
  HeadTokens(const HeadShape& shape, Index length, Index n_code, std::uint64_t seed, const std::stop_token& stop = {});

  /// Views of this object's numbers.
  AttentionInput input() const;

 private:
  HeadShape m_shape;
  Index m_length;
  Index m_n_code;
  std::vector<float> m_q, m_k, m_v, m_gate, m_codebook;
};

/// Setting for measuring the attention of a head type.
struct ThroughputSetting {
  Index n_code = 512;
  std::uint64_t seed = 0;
  AttentionOptions
      options;  ///< block_len, threads, memory_limit with the tokens; the rest follows from what is measured
  std::vector<CacheReduction> reductions;
  double most_seconds = 2;  ///< skips what is expected to take longer
  Index repeats = 5;        ///< number of repetitions of each measurement
};

/// A head type: full attention, then VQ attention with each reduction, measured at rising lengths.
class HeadThroughput {
 public:
  HeadThroughput(const HeadShape& shape, const ThroughputSetting& setting);

  /// Seconds of each. NaN: left out, or it needs more memory than the limit.
  Result<std::vector<Spread>> at(Index length, const Work& work);

 private:
  struct Timed {
    AttentionOptions options;
    RisingTimes times;
  };

  Result<Spread> seconds_of(Timed& timed, const AttentionInput& input, const Work& work);

  HeadShape m_shape;
  Index m_n_code;
  std::uint64_t m_seed;
  std::vector<Timed> m_timed;
};

}  // namespace vqscope
