// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer/silu.h"

#include <cmath>

namespace vqscope {

template <class Real>
void silu(Index count, const Real* x, Real* y) {
  for (Index i = 0; i < count; ++i) y[i] = x[i] / (1 + std::exp(-x[i]));
}

/// silu'(x) = s + x s (1 - s) with s = sigmoid(x).
template <class Real>
void silu_backward(Index count, const Real* x, const Real* dy, Real* dx) {
  for (Index i = 0; i < count; ++i) {
    const Real s = 1 / (1 + std::exp(-x[i]));
    dx[i] += dy[i] * (s + x[i] * s * (1 - s));
  }
}

template void silu(Index, const float*, float*);
template void silu(Index, const double*, double*);
template void silu_backward(Index, const float*, const float*, float*);
template void silu_backward(Index, const double*, const double*, double*);

}  // namespace vqscope
