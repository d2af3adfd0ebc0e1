// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vqscope {

struct AttentionKernels;

/// The same code built for different processors; null where the compiler cannot build it for that one. What the
/// processor cannot run must not be called.
const AttentionKernels* portable_kernels();
const AttentionKernels* avx2_kernels();
const AttentionKernels* avx512_kernels();

}  // namespace vqscope
