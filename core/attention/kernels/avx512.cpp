// SPDX-License-Identifier: GPL-3.0-or-later
// Built with -mavx512f and related flags where the compiler takes them (core/CMakeLists.txt).
#include "core/attention/kernels/builds.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define VQSCOPE_KERNELS avx512
#define VQSCOPE_KERNELS_NAME "AVX-512"
#define Eigen EigenForAvx512Kernels
#include "core/attention/kernels/kernel_code.inc"
#endif

namespace vqscope {

const AttentionKernels* avx512_kernels() {
#ifdef VQSCOPE_KERNELS
  return &avx512::kernels;
#else
  return nullptr;
#endif
}

}  // namespace vqscope
