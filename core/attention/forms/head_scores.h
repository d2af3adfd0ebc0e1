// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/bias/head_bias.h"
#include "core/attention/forms/attention_input.h"

namespace vqscope {

/// Scratch of HeadScores; each thread has its own.
struct ScoreScratch {
  Scratch keys, relative;
  std::vector<Range> visible;
};

/// Rows of scores q·k + B of one head; -infinity where the query does not see the key.
class HeadScores {
 public:
  /// Both must outlive this.
  HeadScores(const AttentionInput& input, const AttentionOptions& options, Index head);

  /// Writes [queries, cols]. `keys` replace input.k. near_alone: blocks that would be cached are not visible.
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

}  // namespace vqscope
