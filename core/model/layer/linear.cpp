// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer/linear.h"

#include "core/model/kernels/products.h"

namespace vqscope {

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

}  // namespace vqscope
