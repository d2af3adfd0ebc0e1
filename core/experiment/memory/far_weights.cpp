// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/memory/far_weights.h"

#include "core/attention/soften.h"
#include "core/experiment/setting/score_rows.h"
#include "core/experiment/setting/vq_experiment.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vqscope {

double FarWeights::fraction() const { return 1 / (1 + std::exp(local_sum - far_sum)); }

Result<std::vector<FarWeights>> far_weights(const StridedMatrix& queries, const StridedMatrix& keys, Index segment_len,
                                            Range rows, const Work& work) {
  constexpr Index at_once = 16;
  const AttentionKernels& kernels = best_kernels();
  std::vector<float> scores(static_cast<std::size_t>(at_once * rows.end));
  std::vector<FarWeights> all;
  for (Index begin = rows.begin; begin < rows.end; begin += at_once) {
    if (work.stop.stop_requested()) return cancelled();
    const Index end = std::min(begin + at_once, rows.end);
    kernels.row_products(rows_of(queries, {begin, end}), rows_of(keys, {0, end}), scores.data(), end);
    for (Index row = begin; row < end; ++row) {
      float* own = scores.data() + (row - begin) * end;
      const Index segment = row / segment_len * segment_len;
      all.push_back({segment > 0 ? soften(own, segment) : -std::numeric_limits<double>::infinity(),
                     soften(own + segment, row + 1 - segment)});
    }
    work.report(static_cast<double>(end - rows.begin) / static_cast<double>(rows.size()));
  }
  return all;
}

}  // namespace vqscope
