// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/kernels/builds.h"

#define VQSCOPE_KERNELS portable
#define VQSCOPE_KERNELS_NAME "portable"
#define Eigen EigenForPortableKernels
#include "core/attention/kernels/kernel_code.inc"

namespace vqscope {

const AttentionKernels* portable_kernels() { return &portable::kernels; }

}  // namespace vqscope
