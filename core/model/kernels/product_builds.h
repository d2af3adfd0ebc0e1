// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vqscope {

struct ProductBuild;

/// The same code built for different processors; null where the compiler cannot build it for that one. What the
/// processor cannot run must not be called.
const ProductBuild* portable_products();
const ProductBuild* avx2_products();
const ProductBuild* avx512_products();

}  // namespace vqscope
