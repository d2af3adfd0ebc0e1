// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer/rms_norm.h"

#include <cmath>

namespace vqscope {
namespace {

template <class Real>
Real weight(const Real* w, Index i) {
  return w ? w[i] : Real{1};
}

}  // namespace

template <class Real>
void RmsNorm<Real>::forward(const Real* x, const Real* w, Real* y, Real* r) const {
  for (Index row = 0; row < rows; ++row, x += width, y += width) {
    Real squares = 0;
    for (Index i = 0; i < width; ++i) squares += x[i] * x[i];
    r[row] = 1 / std::sqrt(squares / static_cast<Real>(width) + eps);
    for (Index i = 0; i < width; ++i) y[i] = gain * weight(w, i) * x[i] * r[row];
  }
}

/// dr/dx = -r³ x / width.
template <class Real>
void RmsNorm<Real>::backward(const Real* x, const Real* w, const Real* r, const Real* dy, Real* dx, Real* dw) const {
  for (Index row = 0; row < rows; ++row, x += width, dy += width) {
    for (Index i = 0; i < width && dw; ++i) dw[i] += gain * dy[i] * x[i] * r[row];
    if (!dx) continue;
    Real dr = 0;
    for (Index i = 0; i < width; ++i) dr += gain * weight(w, i) * dy[i] * x[i];
    const Real pull = dr * r[row] * r[row] * r[row] / static_cast<Real>(width);
    for (Index i = 0; i < width; ++i) dx[i] += gain * weight(w, i) * dy[i] * r[row] - pull * x[i];
    dx += width;
  }
}

template struct RmsNorm<float>;
template struct RmsNorm<double>;

}  // namespace vqscope
