// SPDX-License-Identifier: GPL-3.0-or-later
// Built with -mavx2 -mfma where the compiler takes them (core/CMakeLists.txt).
#include "core/attention/kernels/builds.h"

#if defined(__AVX2__) && defined(__FMA__)
#define VQSCOPE_KERNELS avx2
#define VQSCOPE_KERNELS_NAME "AVX2 and FMA"
#define Eigen EigenForAvx2Kernels
#include "core/attention/kernels/kernel_code.inc"
#endif

namespace vqscope {

const AttentionKernels* avx2_kernels() {
#ifdef VQSCOPE_KERNELS
  return &avx2::kernels;
#else
  return nullptr;
#endif
}

}  // namespace vqscope
