// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/memory/infini_memory.h"
#include "core/attention/memory/memory_input.h"
#include "core/attention/workers.h"
#include "core/base/result.h"

namespace vqscope {

/// The term that sigmoid(β) of a head multiplies.
enum class InfiniGate {
  paper,      ///< the memory: g A_mem + (1 - g) A_dot; also in the first segment
  lucidrains  ///< local attention: g A_dot + (1 - g) A_mem; only A_dot in the first segment
};

struct InfiniOptions {
  Index segment_len = 2048;
  InfiniRule rule = InfiniRule::linear;
  InfiniGate polarity = InfiniGate::paper;
  std::vector<double> gate = {0};  ///< β, one for all heads or one per head
  double score_scale = 1;          ///< factor of q·k in local attention, 1/√d_k in models; the memory has none
  int threads = 1;                 ///< heads are divided among threads; the result does not depend on it
  double memory_limit = 0;         ///< bytes for the output and the work; 0: no limit
  const AttentionKernels* kernels = nullptr;  ///< null: the fastest
};

/// Factors of a query's two outputs.
struct InfiniFractions {
  double local = 1, memory = 0;
};
/// `first`: the query is in the first segment, which has no memory.
InfiniFractions infini_fractions(const InfiniOptions& options, Index head, bool first);

struct InfiniOutput {
  std::vector<float> values;           ///< [heads, T, d_v]
  std::vector<float> local;            ///< [heads, T]: |local part| of each output
  std::vector<float> memory;           ///< [heads, T]: |part of the memory|
  std::vector<InfiniMemory> memories;  ///< [kv heads], after all segments
};

/// Approximate bytes for the output and the work.
double infini_attention_memory(const MemoryInput& input, const InfiniOptions& options);

/// Refuses shapes and sizes that do not match, and more memory than the limit.
Result<void> check_infini(const MemoryInput& input, const InfiniOptions& options);

/// Causal attention within segments, mixed with the memory of earlier segments (Munkhdalai et al.
/// 2024). Both use q and k without position encodings. Refuses what check_infini refuses, and
/// numbers that are not finite.
Result<InfiniOutput> infini_attention(const MemoryInput& input, const InfiniOptions& options, const Work& work = {});

/// The output [d_v] for InfiniRule::linear as a direct sum over all keys, without a matrix.
std::vector<double> define_infini_output(const MemoryInput& input, const InfiniOptions& options, Index head,
                                         Index query);

}  // namespace vqscope
