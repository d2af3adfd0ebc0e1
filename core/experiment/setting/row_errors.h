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

/// Arrays [T, d_k] whose products are the scores of keys more than `beyond` tokens before their
/// query. Keys without rows are scored alike at all distances.
struct FarTokens {
  Index beyond = 0;
  StridedMatrix queries = {};
  StridedMatrix keys = {};
  StridedMatrix quantised = {};
};

/// Input of the comparison: three arrays [T, d_k], and values [T, d_v]. Scores are q·k + B without
/// a scale.
struct ComparedAttention {
  StridedMatrix queries;
  StridedMatrix keys;
  StridedMatrix quantised;
  StridedMatrix values;
  std::shared_ptr<const ChosenBias> bias = {};  ///< null: none
  FarTokens far = {};

  /// The first tokens.
  ComparedAttention first(Index length) const;
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

/// Keys [T, d_k] of scores, or their codewords.
struct ScoredKeys {
  StridedMatrix near;
  StridedMatrix far = {};  ///< for distances beyond that of the far queries
};

/// Scores q·k + B of one head, causal: -infinity where the key is not visible. Row i of queries and
/// keys is token i.
class ScoreRows {
 public:
  /// The queries must outlive it; keys are given to each call.
  explicit ScoreRows(const ComparedAttention& compared);

  /// Writes scores [rows, cols], row-major.
  void fill(const ScoredKeys& keys, Range rows, Range cols, float* out) const;

  /// q·k in double.
  double product(const ScoredKeys& keys, Index row, Index col) const;
  double bias(Index row, Index col) const;
  /// The logit of a learned sink; -infinity: none.
  float sink() const { return m_bias.sink(); }

 private:
  void add_bias(Index row, Range cols, const float* relative, float* scores) const;
  void take_far(const StridedMatrix& keys, Range rows, Range cols, float* out) const;

  StridedMatrix m_queries;
  StridedMatrix m_far;  ///< no rows: none
  Index m_beyond;       ///< the distance beyond which m_far is taken
  std::shared_ptr<const ChosenBias> m_chosen;
  HeadBias m_bias;
};

}  // namespace vqscope
