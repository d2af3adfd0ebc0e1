// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/measure/head_tokens.h"
#include "core/experiment/measure/measured_time.h"

namespace vqscope {

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
