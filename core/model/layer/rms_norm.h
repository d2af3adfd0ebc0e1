// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

namespace vqscope {

/// RMSNorm (Zhang and Sennrich 2019): y = gain · w ∘ x · r with r = 1 / √(mean(x²) + eps), for each row of x
/// [rows, width]. w [width] may be null: ones.
template <class Real>
struct RmsNorm {
  Index rows = 0;
  Index width = 0;
  Real eps = 0;
  Real gain = 1;

  /// Keeps r [rows] for backward().
  void forward(const Real* x, const Real* w, Real* y, Real* r) const;
  /// dw is null where w is; a null dx is not computed.
  void backward(const Real* x, const Real* w, const Real* r, const Real* dy, Real* dx, Real* dw) const;
};

}  // namespace vqscope
