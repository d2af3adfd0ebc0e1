// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/kernels/products.h"

namespace vqscope {

/// The products of both kinds of numbers.
struct ProductBuild {
  Products<float> of_floats;
  Products<double> of_doubles;
};

/// The same code built for different processors; null where the compiler cannot build it for that one. What the
/// processor cannot run must not be called.
const ProductBuild* portable_products();
const ProductBuild* avx2_products();
const ProductBuild* avx512_products();

}  // namespace vqscope
