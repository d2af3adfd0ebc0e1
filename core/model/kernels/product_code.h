// SPDX-License-Identifier: GPL-3.0-or-later
// The products' code, included by one file for each kind of processor, which is compiled for it and has defined
// VQSCOPE_PRODUCTS, VQSCOPE_PRODUCTS_NAME and Eigen: core/attention/kernels/kernel_code.h tells why. Each of these
// files has an Eigen of its own.
#include "core/model/kernels/product_builds.h"

#include <Eigen/Core>

namespace vqscope::VQSCOPE_PRODUCTS {
namespace {

template <class Real>
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class Real>
using ConstMap = Eigen::Map<const Matrix<Real>, 0, Eigen::OuterStride<>>;
template <class Real>
using Map = Eigen::Map<Matrix<Real>, 0, Eigen::OuterStride<>>;

template <class Real>
ConstMap<Real> map(const Rows<Real>& rows) {
  return {rows.data, rows.rows, rows.cols, Eigen::OuterStride<>(rows.stride)};
}

template <class Real, class Product>
void put(const Product& product, const ProductRows<Real>& out, bool add) {
  if (product.rows() == 0 || product.cols() == 0) return;
  Map<Real> place(out.data, product.rows(), product.cols(), Eigen::OuterStride<>(out.stride));
  if (add)
    place.noalias() += product;
  else
    place.noalias() = product;
}

template <class Real>
void with_rows(const Rows<Real>& a, const Rows<Real>& b, const ProductRows<Real>& out, bool add) {
  put(map(a) * map(b).transpose(), out, add);
}

template <class Real>
void plain(const Rows<Real>& a, const Rows<Real>& b, const ProductRows<Real>& out, bool add) {
  put(map(a) * map(b), out, add);
}

template <class Real>
void of_columns(const Rows<Real>& a, const Rows<Real>& b, const ProductRows<Real>& out, bool add) {
  put(map(a).transpose() * map(b), out, add);
}

template <class Real>
constexpr Products<Real> products{VQSCOPE_PRODUCTS_NAME, with_rows<Real>, plain<Real>, of_columns<Real>};

constexpr ProductBuild build{products<float>, products<double>};

}  // namespace
}  // namespace vqscope::VQSCOPE_PRODUCTS
