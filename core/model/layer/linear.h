// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

namespace vqscope {

/// Operations of the model come in pairs: `f` and `f_backward`. Every array is row-major and of `Real`, float or
/// double. The gradient by x is named dx; gradients accumulate.

/// x [rows, in] and w [out, in].
struct LinearShape {
  Index rows = 0;
  Index in = 0;
  Index out = 0;
};

/// y = x wᵀ, [rows, out]; y += x wᵀ with `add`.
template <class Real>
void linear(const LinearShape& shape, const Real* x, const Real* w, Real* y, bool add = false);

/// dx += dy w, dw += dyᵀ x.
template <class Real>
void linear_backward(const LinearShape& shape, const Real* x, const Real* w, const Real* dy, Real* dx, Real* dw);

}  // namespace vqscope
