// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/fire/fire_network.h"
#include "core/model/tensors/parameters.h"

#include <stop_token>

namespace vqscope {

/// FIRE (Li et al. 2023, "Functional interpolation for relative positions", equation 4 and the listing of its
/// appendix): a network with one hidden layer of ReLU, the same in all layers of the model, of the distance n and the
/// position p of the query, counted from 0:
///
///   bias[head, p, n] = W2 relu(W1 x + b1) + b2
///
/// with x of FireScale and L = |multiplier| · fire_threshold. Tables are [heads, length, length] by position and
/// distance.
template <class Real>
class FireBias {
 public:
  FireBias(const TransformerConfig& config, Index length)
      : m_heads(config.n_heads), m_length(length), m_threshold(static_cast<Real>(config.fire_threshold)) {}

  /// After a stop the rest of the table is undefined. The number of threads does not change any
  /// bit.
  void forward(const Parameters<Real>& parameters, Real* out, int threads, const std::stop_token& stop) const;
  /// The biases of one position for distances 0 to `position`; those of consecutive heads begin
  /// `stride` apart.
  void row(const Parameters<Real>& parameters, Index position, Real* out, Index stride) const;
  /// Adds the gradient by the parameters, computed from that by the table, to `gradient`.
  void backward(const Parameters<Real>& parameters, const Real* dout, Real* gradient,
                const std::stop_token& stop) const;

 private:
  FireScale<Real> scale_of(const Parameters<Real>& parameters, Index position) const;
  void fill(const Parameters<Real>& parameters, const FireScale<Real>& scale, Index distances, Real* out,
            Index stride) const;
  void fill_backward(const Parameters<Real>& parameters, const FireScale<Real>& scale, const Real* dout,
                     Real* gradient) const;

  Index m_heads;
  Index m_length;
  Real m_threshold;
};

}  // namespace vqscope
