// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/memory/infini_attention.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// Keeps the quotient finite where σ(q)·z is 0.
constexpr double read_epsilon = 1e-6;

}  // namespace

double elu_plus_one(double x) { return x > 0 ? x + 1 : std::exp(x); }

InfiniMemory::InfiniMemory(Index d_k, Index d_v)
    : m_d_k(d_k),
      m_d_v(d_v),
      m_matrix(static_cast<std::size_t>(d_k * d_v)),
      m_normaliser(static_cast<std::size_t>(d_k)) {}

void InfiniMemory::read(const float* query, double* out) const {
  std::fill_n(out, m_d_v, 0.0);
  if (empty()) return;
  double sum = read_epsilon;
  for (Index c = 0; c < m_d_k; ++c) {
    const double feature = elu_plus_one(static_cast<double>(query[c]));
    const double* row = m_matrix.data() + c * m_d_v;
    sum += feature * m_normaliser[static_cast<std::size_t>(c)];
    for (Index v = 0; v < m_d_v; ++v) out[v] += feature * row[v];
  }
  for (Index v = 0; v < m_d_v; ++v) out[v] /= sum;
}

void InfiniMemory::write_together(const StridedMatrix& keys, const StridedMatrix& values, bool subtract,
                                  const std::stop_token& stop) {
  // The whole segment is read before any of it is written.
  std::vector<double> stored(static_cast<std::size_t>(keys.rows * m_d_v));
  for (Index i = 0; i < keys.rows && !stop.stop_requested(); ++i) {
    double* own = stored.data() + i * m_d_v;
    if (subtract) read(keys.data + i * keys.stride, own);
    for (Index v = 0; v < m_d_v; ++v) own[v] = static_cast<double>(values.data[i * values.stride + v]) - own[v];
  }
  for (Index i = 0; i < keys.rows && !stop.stop_requested(); ++i)
    for (Index c = 0; c < m_d_k; ++c) {
      const double feature = elu_plus_one(static_cast<double>(keys.data[i * keys.stride + c]));
      m_normaliser[static_cast<std::size_t>(c)] += feature;
      double* row = m_matrix.data() + c * m_d_v;
      const double* own = stored.data() + i * m_d_v;
      for (Index v = 0; v < m_d_v; ++v) row[v] += feature * own[v];
    }
  m_stored += keys.rows;
}

void InfiniMemory::write(const StridedMatrix& keys, const StridedMatrix& values, InfiniRule rule,
                         const std::stop_token& stop) {
  if (rule != InfiniRule::delta_by_token) return write_together(keys, values, rule == InfiniRule::delta, stop);
  for (Index i = 0; i < keys.rows && !stop.stop_requested(); ++i)
    write_together({keys.data + i * keys.stride, 1, keys.cols, keys.stride},
                   {values.data + i * values.stride, 1, values.cols, values.stride}, true, stop);
}

}  // namespace vqscope
