// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/kernels/product_builds.h"

#define VQSCOPE_PRODUCTS portable_product_code
#define VQSCOPE_PRODUCTS_NAME "portable"
#include "core/model/kernels/product_code.inc"

namespace vqscope {

const ProductBuild* portable_products() { return &portable_product_code::build; }

}  // namespace vqscope
