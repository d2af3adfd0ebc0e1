// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

namespace vqscope {

/// RoPE (Su et al. 2021) as in Hugging Face Llama: dimension k of a head and k + head_dim / 2 are a pair, turned by the
/// angle whose cosine and sine stand in tables [tokens, head_dim / 2]:
///   (x1, x2) <- (x1 cos - x2 sin, x2 cos + x1 sin)
/// Factors of a token and pair (YaRN's, xPos') are part of both tables.
template <class Real>
struct Rotary {
  Index tokens = 0;
  Index heads = 0;
  Index head_dim = 0;
  const Real* cos = nullptr;
  const Real* sin = nullptr;

  /// In place; x [tokens, heads · head_dim].
  void forward(Real* x) const;
  /// The gradient by what was turned becomes that by what it was before.
  void backward(Real* dx) const;
};

}  // namespace vqscope
