// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/bias/chosen_bias.h"
#include "core/attention/tensor_view.h"
#include "core/base/result.h"
#include "core/base/work.h"

#include <vector>

namespace vqscope {

/// What quantised keys do to the attention of one query; NaN where it sees no key.
struct RowError {
  double total_variation = 0;  ///< half the sum over keys of |weight with quantised keys - weight|, at most 1
  double output_error = 0;     ///< |output with quantised keys - output|
  double output_size = 0;      ///< |output|

  /// Relative to the output; 0 where that is 0.
  double relative() const { return output_size > 0 ? output_error / output_size : 0 * output_error; }
};

/// What there is to compare: [T, d_k] thrice, and values [T, d_v]. Scores are q·k + B: nothing else scales them.
struct ComparedAttention {
  StridedMatrix queries;
  StridedMatrix keys;
  StridedMatrix quantised;
  StridedMatrix values;
  std::shared_ptr<const ChosenBias> bias = {};  ///< null: none
};

/// Causal attention of the queries `rows`, each over the keys up to its own.
Result<std::vector<RowError>> row_errors(const ComparedAttention& compared, Range rows, const Work& work = {});

/// Over the rows that see a key: mean total variation, and the length of all errors over the length of all outputs.
struct MeanError {
  double total_variation = 0;
  double output_error = 0;
};
MeanError mean_of(const std::vector<RowError>& rows);

}  // namespace vqscope
