// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/bias/chosen_bias.h"
#include "core/attention/bias/head_bias.h"

#include <memory>

namespace vqscope {

/// Scores q·k + B of one head, causal: -infinity where the key is not visible. Row i of queries and keys is token i.
class ScoreRows {
 public:
  /// `queries` [T, d_k] must outlive it; `bias` null: none.
  ScoreRows(const StridedMatrix& queries, std::shared_ptr<const ChosenBias> bias);

  /// Writes scores [rows, cols], row-major, with the keys [T, d_k].
  void fill(const StridedMatrix& keys, Range rows, Range cols, float* out) const;

  /// q·k in double, plus B.
  double product(const StridedMatrix& keys, Index row, Index col) const;
  double bias(Index row, Index col) const;

 private:
  void add_bias(Index row, Range cols, const float* relative, float* scores) const;

  StridedMatrix m_queries;
  std::shared_ptr<const ChosenBias> m_chosen;
  HeadBias m_bias;
};

}  // namespace vqscope
