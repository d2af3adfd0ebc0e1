// SPDX-License-Identifier: GPL-3.0-or-later
// Built with -mavx2 -mfma where the compiler takes them (core/CMakeLists.txt).
#include "core/model/kernels/product_builds.h"

#if defined(__AVX2__) && defined(__FMA__)
#define VQSCOPE_PRODUCTS avx2_product_code
#define VQSCOPE_PRODUCTS_NAME "AVX2 and FMA"
#include "core/model/kernels/product_code.inc"
#endif

namespace vqscope {

const ProductBuild* avx2_products() {
#ifdef VQSCOPE_PRODUCTS
  return &avx2_product_code::build;
#else
  return nullptr;
#endif
}

}  // namespace vqscope
