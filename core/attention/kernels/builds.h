// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vqscope {

struct AttentionKernels;

/// The same code built for different processors; null where the compiler cannot build for that
/// processor. Do not call a build that the processor cannot run.
const AttentionKernels* portable_kernels();
const AttentionKernels* avx2_kernels();
const AttentionKernels* avx512_kernels();

}  // namespace vqscope
