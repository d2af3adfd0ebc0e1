// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer/activation.h"

#include <cmath>
#include <numbers>

namespace vqscope {
namespace {

template <class Real>
Real sigmoid(Real z) {
  return 1 / (1 + std::exp(-z));
}

/// Φ.
template <class Real>
Real normal_below(Real x) {
  return (1 + std::erf(x / std::numbers::sqrt2_v<Real>)) / 2;
}

template <class Real>
Real normal_density(Real x) {
  return std::exp(-x * x / 2) * std::numbers::inv_sqrtpi_v<Real> / std::numbers::sqrt2_v<Real>;
}

}  // namespace

template <class Real>
void swiglu(Index count, const Real* gate, const Real* up, Real* y) {
  for (Index i = 0; i < count; ++i) y[i] = gate[i] * sigmoid(gate[i]) * up[i];
}

/// silu'(z) = s + z s (1 - s) with s = sigmoid(z).
template <class Real>
void swiglu_backward(Index count, const Real* gate, const Real* up, const Real* dy, Real* dgate, Real* dup) {
  for (Index i = 0; i < count; ++i) {
    const Real s = sigmoid(gate[i]);
    dgate[i] += dy[i] * up[i] * (s + gate[i] * s * (1 - s));
    dup[i] += dy[i] * gate[i] * s;
  }
}

template <class Real>
void gelu(Index count, const Real* x, Real* y) {
  for (Index i = 0; i < count; ++i) y[i] = x[i] * normal_below(x[i]);
}

template <class Real>
void gelu_backward(Index count, const Real* x, const Real* dy, Real* dx) {
  for (Index i = 0; i < count; ++i) dx[i] += dy[i] * (normal_below(x[i]) + x[i] * normal_density(x[i]));
}

template void swiglu(Index, const float*, const float*, float*);
template void swiglu(Index, const double*, const double*, double*);
template void swiglu_backward(Index, const float*, const float*, const float*, float*, float*);
template void swiglu_backward(Index, const double*, const double*, const double*, double*, double*);
template void gelu(Index, const float*, float*);
template void gelu(Index, const double*, double*);
template void gelu_backward(Index, const float*, const float*, float*);
template void gelu_backward(Index, const double*, const double*, double*);

}  // namespace vqscope
