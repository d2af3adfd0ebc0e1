// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/tensor_view.h"
#include "core/base/index.h"

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

/// One head's compressive memory: M [d_k, d_v], and z [d_k], the sum of σ(k) of all stored keys. In double.
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

}  // namespace vqscope
