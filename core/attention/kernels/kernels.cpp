// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/kernels/kernels.h"

#include "core/attention/kernels/builds.h"

namespace vqscope {

std::vector<const AttentionKernels*> usable_kernels() {
  std::vector<const AttentionKernels*> usable{portable_kernels()};
#if defined(__x86_64__) || defined(__i386__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  if (avx2 && avx2_kernels()) usable.push_back(avx2_kernels());
  if (avx512 && avx512_kernels()) usable.push_back(avx512_kernels());
#endif
  return usable;
}

const AttentionKernels& best_kernels() { return *usable_kernels().back(); }

}  // namespace vqscope
