// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/memory/memory_input.h"
#include "core/attention/tensor_view.h"
#include "core/attention/workers.h"
#include "core/base/index.h"
#include "core/base/result.h"

#include <stop_token>
#include <vector>

namespace vqscope {

/// The update of the memory by a segment (Munkhdalai et al. 2024, section 2). σ(x) = elu(x) + 1.
enum class InfiniRule {
  linear,         ///< M += σ(K)ᵀ V
  delta,          ///< M += σ(K)ᵀ (V - what the memory before the segment returns for K)
  delta_by_token  ///< the same token by token, in order (Schlag et al. 2021)
};

/// elu(x) + 1: x + 1 above 0, else e^x.
double elu_plus_one(double x);

/// One head's compressive memory: M [d_k, d_v], and z [d_k], the sum of σ(k) of all stored keys. In
/// double.
class InfiniMemory {
 public:
  InfiniMemory(Index d_k, Index d_v);

  Index d_k() const { return m_d_k; }
  Index d_v() const { return m_d_v; }
  bool empty() const { return m_stored == 0; }
  Index stored() const { return m_stored; }  ///< number of pairs
  const std::vector<double>& matrix() const { return m_matrix; }
  const std::vector<double>& normaliser() const { return m_normaliser; }

  /// Reads the memory with a query or a key: σ(q) M / (σ(q)·z + 1e-6), [d_v]; 0 if the memory is
  /// empty.
  void read(const float* query, double* out) const;
  /// Adds the pairs of a segment. After a stop the memory is undefined.
  void write(const StridedMatrix& keys, const StridedMatrix& values, InfiniRule rule, const std::stop_token& stop = {});

 private:
  void write_together(const StridedMatrix& keys, const StridedMatrix& values, bool subtract,
                      const std::stop_token& stop);

  Index m_d_k, m_d_v;
  Index m_stored = 0;
  std::vector<double> m_matrix;      ///< [d_k, d_v]
  std::vector<double> m_normaliser;  ///< [d_k]
};

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
