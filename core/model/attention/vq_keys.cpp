// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention/vq_keys.h"

#include <algorithm>
#include <limits>

namespace vqscope {
namespace {

constexpr double least_count = 0.01;

template <class Real>
Real squared_distance(const Real* a, const Real* b, Index n) {
  Real sum = 0;
  for (Index i = 0; i < n; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

template <class Real>
struct NearestCode {
  std::int32_t code = 0;
  Real distance = std::numeric_limits<Real>::infinity();
};

template <class Real>
NearestCode<Real> nearest_code(const VqShape& shape, const Real* key, const Real* codewords) {
  NearestCode<Real> nearest;
  for (Index s = 0; s < shape.n_code; ++s) {
    const Real distance = squared_distance(key, codewords + s * shape.head_dim, shape.head_dim);
    if (distance < nearest.distance) nearest = {static_cast<std::int32_t>(s), distance};
  }
  return nearest;
}

}  // namespace

template <class Real>
double quantise_keys(const VqShape& shape, const Real* k, const Real* codebook, std::int32_t* codes, Real* quantised) {
  double sum = 0;
  for (Index t = 0; t < shape.length; ++t)
    for (Index head = 0; head < shape.heads; ++head) {
      const Index at = t * shape.width() + head * shape.head_dim;
      const Real* codewords = codebook + head * shape.n_code * shape.head_dim;
      const auto nearest = nearest_code(shape, k + at, codewords);
      codes[head * shape.length + t] = nearest.code;
      std::copy_n(codewords + nearest.code * shape.head_dim, shape.head_dim, quantised + at);
      sum += static_cast<double>(nearest.distance);
    }
  return sum;
}

template <class Real>
void commit_backward(const VqShape& shape, const Real* k, const Real* quantised, Real scale, Real* dk) {
  for (Index i = 0; i < shape.length * shape.width(); ++i) dk[i] += scale * 2 * (k[i] - quantised[i]);
}

template <class Real>
void codebook_of(const VqShape& shape, const Real* sum, const Real* count, Real* codebook) {
  for (Index code = 0; code < shape.heads * shape.n_code; ++code) {
    const Real divisor = std::max(count[code], static_cast<Real>(least_count));
    for (Index i = code * shape.head_dim; i < (code + 1) * shape.head_dim; ++i) codebook[i] = sum[i] / divisor;
  }
}

template <class Real>
void add_code_statistics(const VqShape& shape, const Real* k, const std::int32_t* codes, double* counts, double* sums) {
  for (Index head = 0; head < shape.heads; ++head)
    for (Index t = 0; t < shape.length; ++t) {
      const Index code = head * shape.n_code + codes[head * shape.length + t];
      const Real* key = k + t * shape.width() + head * shape.head_dim;
      ++counts[code];
      for (Index i = 0; i < shape.head_dim; ++i) sums[code * shape.head_dim + i] += static_cast<double>(key[i]);
    }
}

template double quantise_keys(const VqShape&, const float*, const float*, std::int32_t*, float*);
template double quantise_keys(const VqShape&, const double*, const double*, std::int32_t*, double*);
template void commit_backward(const VqShape&, const float*, const float*, float, float*);
template void commit_backward(const VqShape&, const double*, const double*, double, double*);
template void codebook_of(const VqShape&, const float*, const float*, float*);
template void codebook_of(const VqShape&, const double*, const double*, double*);
template void add_code_statistics(const VqShape&, const float*, const std::int32_t*, double*, double*);
template void add_code_statistics(const VqShape&, const double*, const std::int32_t*, double*, double*);

}  // namespace vqscope
