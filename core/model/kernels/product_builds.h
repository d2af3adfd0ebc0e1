// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vqscope {

struct ProductBuild;

/// The same code built for different processors; null where the compiler cannot build for that
/// processor. Do not call a build that the processor cannot run.
const ProductBuild* portable_products();
const ProductBuild* avx2_products();
const ProductBuild* avx512_products();

}  // namespace vqscope
