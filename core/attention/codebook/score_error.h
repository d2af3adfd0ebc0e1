// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/tensor_view.h"

#include <stop_token>

namespace vqscope {

/// Both sides of theorem 2.2 of Transformer-VQ over pairs of a query and a key: E (q·k - q·k̂)² = σ² E |k - k̂|² where
/// q is independent of k and E q qᵀ = σ² I. Queries that went through LayerNorm have no part along the constant
/// direction, and are that isotropic in the D - 1 others alone: the ratio is near D / (D - 1) then.
struct ScoreError {
  double of_scores = 0;  ///< mean of (q·k - q·k̂)²
  double of_keys = 0;    ///< σ² times the mean of |k - k̂|², with σ² the mean of |q|² / D
  double ratio = 0;      ///< of_scores / of_keys; 1 where both are 0
};

/// Row i of queries with row i of keys and of quantised keys; all three [rows, D]. Stopped, it means nothing.
ScoreError score_error(const StridedMatrix& queries, const StridedMatrix& keys, const StridedMatrix& quantised,
                       const std::stop_token& stop = {});

}  // namespace vqscope
