// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/position/rotary.h"

namespace vqscope {
namespace {

template <class Real>
void turn(const Rotary<Real>& rotary, Real direction, Real* x) {
  const Index half = rotary.head_dim / 2;
  for (Index t = 0; t < rotary.tokens; ++t) {
    const Real* cos = rotary.cos + t * half;
    const Real* sin = rotary.sin + t * half;
    for (Index head = 0; head < rotary.heads; ++head, x += rotary.head_dim)
      for (Index k = 0; k < half; ++k) {
        const Real first = x[k];
        const Real second = x[k + half];
        x[k] = first * cos[k] - second * direction * sin[k];
        x[k + half] = second * cos[k] + first * direction * sin[k];
      }
  }
}

}  // namespace

template <class Real>
void Rotary<Real>::forward(Real* x) const {
  turn(*this, Real{1}, x);
}

/// The transpose: rotates by the negative angle, with the same factors.
template <class Real>
void Rotary<Real>::backward(Real* dx) const {
  turn(*this, Real{-1}, dx);
}

template struct Rotary<float>;
template struct Rotary<double>;

}  // namespace vqscope
