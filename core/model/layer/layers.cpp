// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer/layers.h"

#include "core/model/kernels/products.h"

#include <cmath>
#include <numbers>

namespace vqscope {
namespace {

/// Φ.
template <class Real>
Real normal_below(Real x) {
  return (1 + std::erf(x / std::numbers::sqrt2_v<Real>)) / 2;
}

template <class Real>
Real normal_density(Real x) {
  return std::exp(-x * x / 2) * std::numbers::inv_sqrtpi_v<Real> / std::numbers::sqrt2_v<Real>;
}

/// ln Σ exp(row), with the maximum subtracted so that nothing overflows.
template <class Real>
Real log_sum_exp(const Real* row, Index n) {
  const auto& kernels = best_layer_kernels<Real>();
  const Real most = kernels.largest(row, n);
  return most + std::log(kernels.sum_of_exponentials(row, n, most));
}

}  // namespace

template <class Real>
void swiglu(Index count, const Real* gate, const Real* up, Real* y) {
  best_layer_kernels<Real>().gated(count, gate, up, y);
}

template <class Real>
void swiglu_backward(Index count, const Real* gate, const Real* up, const Real* dy, Real* dgate, Real* dup) {
  best_layer_kernels<Real>().gated_backward(count, gate, up, dy, dgate, dup);
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

template <class Real>
void silu(Index count, const Real* x, Real* y) {
  best_layer_kernels<Real>().gated(count, x, nullptr, y);
}

template <class Real>
void silu_backward(Index count, const Real* x, const Real* dy, Real* dx) {
  best_layer_kernels<Real>().gated_backward(count, x, nullptr, dy, dx, nullptr);
}

template void silu(Index, const float*, float*);
template void silu(Index, const double*, double*);
template void silu_backward(Index, const float*, const float*, float*);
template void silu_backward(Index, const double*, const double*, double*);

template <class Real>
double cross_entropy(std::span<const std::int32_t> labels, Index vocabulary, const Real* logits) {
  double sum = 0;
  for (const std::int32_t label : labels) {
    if (label != uncounted_label) sum += static_cast<double>(log_sum_exp(logits, vocabulary) - logits[label]);
    logits += vocabulary;
  }
  return sum;
}

template <class Real>
void cross_entropy_backward(std::span<const std::int32_t> labels, Index vocabulary, const Real* logits, Real scale,
                            Real* dlogits) {
  for (const std::int32_t label : labels) {
    if (label != uncounted_label) {
      const Real total = log_sum_exp(logits, vocabulary);
      best_layer_kernels<Real>().add_exponentials(logits, vocabulary, total, scale, dlogits);
      dlogits[label] -= scale;
    }
    logits += vocabulary;
    dlogits += vocabulary;
  }
}

template double cross_entropy(std::span<const std::int32_t>, Index, const float*);
template double cross_entropy(std::span<const std::int32_t>, Index, const double*);
template void cross_entropy_backward(std::span<const std::int32_t>, Index, const float*, float, float*);
template void cross_entropy_backward(std::span<const std::int32_t>, Index, const double*, double, double*);

template <class Real>
void linear(const LinearShape& shape, const Real* x, const Real* w, Real* y, bool add) {
  const auto [rows, in, out] = shape;
  best_products<Real>().with_rows({x, rows, in, in}, {w, out, in, in}, {y, out}, add);
}

template <class Real>
void linear_backward(const LinearShape& shape, const Real* x, const Real* w, const Real* dy, Real* dx, Real* dw) {
  const auto [rows, in, out] = shape;
  best_products<Real>().plain({dy, rows, out, out}, {w, out, in, in}, {dx, in}, true);
  best_products<Real>().of_columns({dy, rows, out, out}, {x, rows, in, in}, {dw, in}, true);
}

template void linear(const LinearShape&, const float*, const float*, float*, bool);
template void linear(const LinearShape&, const double*, const double*, double*, bool);
template void linear_backward(const LinearShape&, const float*, const float*, const float*, float*, float*);
template void linear_backward(const LinearShape&, const double*, const double*, const double*, double*, double*);

template <class Real>
void add_bias(Index rows, Index width, const Real* bias, Real* y) {
  for (Index row = 0; row < rows; ++row)
    for (Index i = 0; i < width; ++i) y[row * width + i] += bias[i];
}

template <class Real>
void bias_backward(Index rows, Index width, const Real* dy, Real* dbias) {
  for (Index row = 0; row < rows; ++row)
    for (Index i = 0; i < width; ++i) dbias[i] += dy[row * width + i];
}

template void add_bias(Index, Index, const float*, float*);
template void add_bias(Index, Index, const double*, double*);
template void bias_backward(Index, Index, const float*, float*);
template void bias_backward(Index, Index, const double*, double*);

template <class Real>
void add_embedding(std::span<const std::int32_t> ids, Index width, Real scale, const Real* table, Real* y) {
  for (const std::int32_t id : ids) {
    const Real* row = table + id * width;
    for (Index i = 0; i < width; ++i) y[i] += scale * row[i];
    y += width;
  }
}

template <class Real>
void embedding_backward(std::span<const std::int32_t> ids, Index width, Real scale, const Real* dy, Real* dtable) {
  for (const std::int32_t id : ids) {
    Real* row = dtable + id * width;
    for (Index i = 0; i < width; ++i) row[i] += scale * dy[i];
    dy += width;
  }
}

template void add_embedding(std::span<const std::int32_t>, Index, float, const float*, float*);
template void add_embedding(std::span<const std::int32_t>, Index, double, const double*, double*);
template void embedding_backward(std::span<const std::int32_t>, Index, float, const float*, float*);
template void embedding_backward(std::span<const std::int32_t>, Index, double, const double*, double*);

template <class Real>
void RmsNorm<Real>::forward(const Real* x, const Real* w, Real* y, Real* r) const {
  best_layer_kernels<Real>().norm({rows, width, eps, gain}, x, w, y, r);
}

template <class Real>
void RmsNorm<Real>::backward(const Real* x, const Real* w, const Real* r, const Real* dy, Real* dx, Real* dw) const {
  best_layer_kernels<Real>().norm_backward({rows, width, eps, gain}, x, w, r, dy, dx, dw);
}

template struct RmsNorm<float>;
template struct RmsNorm<double>;

}  // namespace vqscope
