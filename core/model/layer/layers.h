// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <span>

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

/// SiLU (Elfwing et al. 2017): y = x · sigmoid(x), element by element.
template <class Real>
void silu(Index count, const Real* x, Real* y);
/// dx += dy · silu'(x).
template <class Real>
void silu_backward(Index count, const Real* x, const Real* dy, Real* dx);

/// A label that is not counted.
inline constexpr std::int32_t uncounted_label = -100;

/// Σ -ln softmax(logits[i])[labels[i]] over the counted labels, in nats; logits [labels,
/// vocabulary].
template <class Real>
double cross_entropy(std::span<const std::int32_t> labels, Index vocabulary, const Real* logits);

/// dlogits += scale · (softmax(logits) - one_hot(label)) where the label is counted.
template <class Real>
void cross_entropy_backward(std::span<const std::int32_t> labels, Index vocabulary, const Real* logits, Real scale,
                            Real* dlogits);

/// Operations of the model come in pairs: `f` and `f_backward`. Every array is row-major and of
/// `Real`, float or double. The gradient by x is named dx; gradients accumulate.

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

/// Each of the rows of y [rows, width] += bias [width].
template <class Real>
void add_bias(Index rows, Index width, const Real* bias, Real* y);
/// dbias += the sum of the rows of dy.
template <class Real>
void bias_backward(Index rows, Index width, const Real* dy, Real* dbias);

/// y[i] += scale · table[ids[i]] for tokens or positions; table [., width], y [ids, width]. Every
/// id is a row of the table.
template <class Real>
void add_embedding(std::span<const std::int32_t> ids, Index width, Real scale, const Real* table, Real* y);

/// dtable[ids[i]] += scale · dy[i].
template <class Real>
void embedding_backward(std::span<const std::int32_t> ids, Index width, Real scale, const Real* dy, Real* dtable);

/// RMSNorm (Zhang and Sennrich 2019): y = gain · w ∘ x · r with r = 1 / √(mean(x²) + eps), for each
/// row of x [rows, width]. w [width] may be null: ones.
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
