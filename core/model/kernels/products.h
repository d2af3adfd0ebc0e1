// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/model/kernels/layer_kernels.h"

#include <vector>

namespace vqscope {

/// Rows of a matrix that lie `stride` numbers apart. Plain data: only its type is shared between
/// the translation units of the kernels.
template <class Real>
struct Rows {
  const Real* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;
};

/// Destination of a product; its size follows from the factors.
template <class Real>
struct ProductRows {
  Real* data = nullptr;
  Index stride = 0;
};

/// The matrix products of the model for one kind of processor; the model does all its matrix
/// arithmetic through them. With `add`, a product is added to the output, otherwise it replaces the
/// output. Sizes may be 0.
template <class Real>
struct Products {
  const char* name;
  /// a bᵀ, [a.rows, b.rows]; a and b have the same columns.
  void (*with_rows)(const Rows<Real>& a, const Rows<Real>& b, const ProductRows<Real>& out, bool add);
  /// a b, [a.rows, b.cols]; a has as many columns as b rows.
  void (*plain)(const Rows<Real>& a, const Rows<Real>& b, const ProductRows<Real>& out, bool add);
  /// aᵀ b, [a.cols, b.cols]; a and b have the same rows.
  void (*of_columns)(const Rows<Real>& a, const Rows<Real>& b, const ProductRows<Real>& out, bool add);
};

/// The products and what else layers compute, for both number types.
struct ProductBuild {
  Products<float> of_floats;
  Products<double> of_doubles;
  LayerKernels<float> layers_of_floats;
  LayerKernels<double> layers_of_doubles;
};

/// Every build that this processor can run, the slowest and most portable first.
template <class Real>
std::vector<const Products<Real>*> usable_products();

/// The fastest of them.
template <class Real>
const Products<Real>& best_products();

}  // namespace vqscope
