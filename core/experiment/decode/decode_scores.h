// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/rope/rope_scaling.h"
#include "core/experiment/decode/decode_fault.h"

namespace vqscope {

/// Scores of the newest token with cached keys that were rotated when they were written: Σ cos over the pairs of RoPE,
/// times the attention factors, for identical tokens.
class CachedScores {
 public:
  /// Sets the scaling's seq_len to the current length.
  CachedScores(const DecodeLane& lane, const RopeScaling& scaling, DecodeFault fault, Index newest);

  /// As the model computes it: positions as given, the key with the frequencies of the length at
  /// which it was written.
  double as_decoded(Index position) const;
  /// With true positions, and both with the frequencies of the current length.
  double right(Index position) const;

 private:
  double score(Index query, const RopeFrequencies& of_query, Index key, const RopeFrequencies& of_key) const;
  RopeFrequencies at_length(Index length) const;

  DecodeLane m_lane;
  RopeScaling m_scaling;
  DecodeFault m_fault;
  Index m_newest;
  RopeFrequencies m_now, m_at_prefill;
};

}  // namespace vqscope
