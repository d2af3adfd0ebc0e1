// SPDX-License-Identifier: GPL-3.0-or-later
// Built with -mavx512f and related flags where the compiler takes them (core/CMakeLists.txt).
#include "core/model/kernels/product_builds.h"

#if defined(__AVX512F__) && defined(__AVX512VL__)
#define VQSCOPE_PRODUCTS avx512_product_code
#define VQSCOPE_PRODUCTS_NAME "AVX-512"
#include "core/model/kernels/product_code.inc"
#endif

namespace vqscope {

const ProductBuild* avx512_products() {
#ifdef VQSCOPE_PRODUCTS
  return &avx512_product_code::build;
#else
  return nullptr;
#endif
}

}  // namespace vqscope
