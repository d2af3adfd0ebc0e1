// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer/cross_entropy.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// ln Σ exp(row), with the maximum subtracted so that nothing overflows.
template <class Real>
Real log_sum_exp(const Real* row, Index n) {
  const Real largest = *std::max_element(row, row + n);
  Real sum = 0;
  for (Index i = 0; i < n; ++i) sum += std::exp(row[i] - largest);
  return largest + std::log(sum);
}

}  // namespace

template <class Real>
double cross_entropy(std::span<const std::int32_t> labels, Index vocabulary, const Real* logits) {
  double sum = 0;
  for (const std::int32_t label : labels) {
    if (label != uncounted_label) sum += static_cast<double>(log_sum_exp(logits, vocabulary) - logits[label]);
    logits += vocabulary;
  }
  return sum;
}

template <class Real>
void cross_entropy_backward(std::span<const std::int32_t> labels, Index vocabulary, const Real* logits, Real scale,
                            Real* dlogits) {
  for (const std::int32_t label : labels) {
    if (label != uncounted_label) {
      const Real total = log_sum_exp(logits, vocabulary);
      for (Index i = 0; i < vocabulary; ++i) dlogits[i] += scale * std::exp(logits[i] - total);
      dlogits[label] -= scale;
    }
    logits += vocabulary;
    dlogits += vocabulary;
  }
}

template double cross_entropy(std::span<const std::int32_t>, Index, const float*);
template double cross_entropy(std::span<const std::int32_t>, Index, const double*);
template void cross_entropy_backward(std::span<const std::int32_t>, Index, const float*, float, float*);
template void cross_entropy_backward(std::span<const std::int32_t>, Index, const double*, double, double*);

}  // namespace vqscope
