// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/rows.h"

#include "core/attention/kernels/kernels.h"
#include "core/attention/tensor_view.h"

#include <algorithm>
#include <cmath>

namespace vqscope {

double soften(float* scores, Index count, float sink) {
  const AttentionKernels& kernels = best_kernels();
  const float max = kernels.largest(scores, count);
  if (max == hidden_score) {
    std::fill_n(scores, count, 0.0F);
    return static_cast<double>(hidden_score);
  }
  const float top = std::max(max, sink);
  float sum = kernels.exponentials(scores, count, top);
  if (sink > hidden_score) sum += std::exp(sink - top);
  kernels.scale(scores, count, 1 / sum);
  return static_cast<double>(top) + std::log(static_cast<double>(sum));
}

}  // namespace vqscope
