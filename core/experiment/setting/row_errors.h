// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/bias/chosen_bias.h"
#include "core/attention/bias/local_bias.h"
#include "core/attention/tensor_view.h"
#include "core/base/result.h"
#include "core/base/work.h"

#include <memory>
#include <vector>

namespace vqscope {

/// Errors of one query's attention with quantised keys; NaN if it sees no key.
struct RowError {
  double total_variation = 0;  ///< half the sum over keys of |weight with quantised keys - weight|, at most 1
  double output_error = 0;     ///< |output with quantised keys - output|
  double output_size = 0;      ///< |output|

  /// Error relative to the output; 0 if the output is 0.
  double relative() const { return output_size > 0 ? output_error / output_size : 0 * output_error; }
};

/// Input of the comparison: three arrays [T, d_k], and values [T, d_v]. Scores are q·k + B without
/// a scale.
struct ComparedAttention {
  StridedMatrix queries;
  StridedMatrix keys;
  StridedMatrix quantised;
  StridedMatrix values;
  std::shared_ptr<const ChosenBias> bias = {};  ///< null: none
};

/// Causal attention of the queries `rows`, each over the keys up to its own.
Result<std::vector<RowError>> row_errors(const ComparedAttention& compared, Range rows, const Work& work = {});

/// Over the rows that see a key: mean total variation, and the norm of all errors divided by the
/// norm of all outputs.
struct MeanError {
  double total_variation = 0;
  double output_error = 0;
};
MeanError mean_of(const std::vector<RowError>& rows);

/// Scores q·k + B of one head, causal: -infinity where the key is not visible. Row i of queries and
/// keys is token i.
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
