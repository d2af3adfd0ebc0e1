// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/memory/infini_memory.h"
#include "core/attention/memory/memory_input.h"
#include "core/attention/workers.h"
#include "core/base/result.h"

namespace vqscope {

/// What sigmoid(β) of a head multiplies.
enum class InfiniGate {
  paper,      ///< the memory: g A_mem + (1 - g) A_dot; 1 - g times A_dot in the first segment, too
  lucidrains  ///< local attention: g A_dot + (1 - g) A_mem; the first segment is A_dot alone
};

struct InfiniOptions {
  Index segment_len = 2048;
  InfiniRule rule = InfiniRule::linear;
  InfiniGate polarity = InfiniGate::paper;
  std::vector<double> gate = {0};  ///< β, of all heads or of each
  double score_scale = 1;          ///< times q·k of local attention; models have 1/√d_k. The memory has none
  int threads = 1;                 ///< heads are shared out; the result does not depend on it
  double memory_limit = 0;         ///< bytes for the output and the work; 0: no limit
  const AttentionKernels* kernels = nullptr;  ///< null: the fastest
};

/// Factors of a query's two outputs.
struct InfiniShares {
  double local = 1, memory = 0;
};
/// `first`: of the first segment, which has no memory.
InfiniShares infini_shares(const InfiniOptions& options, Index head, bool first);

struct InfiniOutput {
  std::vector<float> values;           ///< [heads, T, d_v]
  std::vector<float> local;            ///< [heads, T]: |local part| of each output
  std::vector<float> memory;           ///< [heads, T]: |part of the memory|
  std::vector<InfiniMemory> memories;  ///< [kv heads], after all segments
};

/// Bytes for the output and the work, about.
double infini_attention_memory(const MemoryInput& input, const InfiniOptions& options);

/// Refuses with one sentence shapes and sizes that do not fit together, and more memory than the limit.
Result<void> check_infini(const MemoryInput& input, const InfiniOptions& options);

/// Causal attention within segments, and what the memory of earlier segments gives (Munkhdalai et al. 2024). Both use
/// q and k without position encodings. Refuses what check_infini does and numbers that are not finite.
Result<InfiniOutput> infini_attention(const MemoryInput& input, const InfiniOptions& options, const Work& work = {});

/// The same as a direct sum over all keys, without a matrix: of InfiniRule::linear. [d_v].
std::vector<double> define_infini_output(const MemoryInput& input, const InfiniOptions& options, Index head,
                                         Index query);

}  // namespace vqscope
