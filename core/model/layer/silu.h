// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

namespace vqscope {

/// SiLU (Elfwing et al. 2017): y = x · sigmoid(x), element by element.
template <class Real>
void silu(Index count, const Real* x, Real* y);
/// dx += dy · silu'(x).
template <class Real>
void silu_backward(Index count, const Real* x, const Real* dy, Real* dx);

}  // namespace vqscope
