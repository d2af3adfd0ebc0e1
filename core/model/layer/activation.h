// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

namespace vqscope {

/// Activations between the matrices of an MLP, element by element.

/// SwiGLU (Shazeer 2020): y = silu(gate) · up with silu(z) = z · sigmoid(z).
template <class Real>
void swiglu(Index count, const Real* gate, const Real* up, Real* y);
template <class Real>
void swiglu_backward(Index count, const Real* gate, const Real* up, const Real* dy, Real* dgate, Real* dup);

/// GELU (Hendrycks and Gimpel 2016): y = x · Φ(x), Φ the standard normal distribution function.
template <class Real>
void gelu(Index count, const Real* x, Real* y);
template <class Real>
void gelu_backward(Index count, const Real* x, const Real* dy, Real* dx);

}  // namespace vqscope
