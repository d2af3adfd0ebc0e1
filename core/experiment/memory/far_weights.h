// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/tensor_view.h"
#include "core/base/result.h"
#include "core/base/work.h"

#include <vector>

namespace vqscope {

/// Full causal attention of one query, split where its segment begins.
struct FarWeights {
  double far_sum = 0;    ///< logarithm of the sum of exp(q·k) over keys of earlier segments; -infinity: there are none
  double local_sum = 0;  ///< the same over keys of its own segment up to itself

  /// Of the weight of all keys, what those of earlier segments have.
  double share() const;
};

/// Of each query of `rows`. q and k: [T, d_k].
Result<std::vector<FarWeights>> far_weights(const StridedMatrix& queries, const StridedMatrix& keys, Index segment_len,
                                            Range rows, const Work& work = {});

}  // namespace vqscope
