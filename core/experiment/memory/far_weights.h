// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/tensor_view.h"
#include "core/base/result.h"
#include "core/base/work.h"

#include <vector>

namespace vqscope {

/// Full causal attention of one query, split where its segment begins.
struct FarWeights {
  double far_sum = 0;    ///< log of the sum of exp(q·k) over keys of earlier segments; -infinity: none
  double local_sum = 0;  ///< the same over keys of its own segment up to itself

  /// Fraction of the weight of all keys on keys of earlier segments.
  double fraction() const;
};

/// For each query of `rows`. Queries and keys are [T, d_k].
Result<std::vector<FarWeights>> far_weights(const StridedMatrix& queries, const StridedMatrix& keys, Index segment_len,
                                            Range rows, const Work& work = {});

}  // namespace vqscope
