// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

namespace vqscope {

/// RoPE (Su et al. 2021) as in Hugging Face Llama: dimension k of a head and k + head_dim / 2 are a
/// pair, rotated by the angle whose cosine and sine are in tables [tokens, head_dim / 2]:
///   (x1, x2) <- (x1 cos - x2 sin, x2 cos + x1 sin)
/// Both tables include the factors of a token and pair (YaRN, xPos).
template <class Real>
struct Rotary {
  Index tokens = 0;
  Index heads = 0;
  Index head_dim = 0;
  const Real* cos = nullptr;
  const Real* sin = nullptr;

  /// In place; x [tokens, heads · head_dim].
  void forward(Real* x) const;
  /// Turns the gradient by the rotated numbers into that by the numbers before rotation.
  void backward(Real* dx) const;
};

}  // namespace vqscope
