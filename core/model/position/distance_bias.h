// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/position/fire_bias.h"
#include "core/model/tensors/parameters.h"

#include <cstdint>

namespace vqscope {

/// What is added to scores by head and distance query - key: a table [heads, length] of each layer, from the config
/// alone (ALiBi, Sandwich) or from parameters (T5's table of all layers; KERPLE's r1, r2 and the VQ bias of a layer).
/// FIRE's bias, of all layers, is by the query's position as well: a table [heads, length, length].
template <class Real>
class DistanceBias {
 public:
  DistanceBias(const TransformerConfig& config, Index length);

  bool none() const { return m_kind == Kind::none; }
  bool learnt() const { return m_kind != Kind::none && m_kind != Kind::fixed; }
  /// Whether every layer has the same.
  bool shared() const { return m_kind == Kind::fixed || m_kind == Kind::t5 || m_kind == Kind::fire; }
  bool by_position() const { return m_kind == Kind::fire; }
  /// Numbers of a table.
  Index size() const { return m_heads * m_length * (by_position() ? m_length : 1); }

  /// `out` has size() numbers; after a stop, FIRE's have anything in them.
  void forward(const Parameters<Real>& parameters, Index layer, Real* out, int threads = 1,
               const std::stop_token& stop = {}) const;
  /// Where by_position(): the biases of one position for the distances 0 to that position, [heads, length].
  void forward_row(const Parameters<Real>& parameters, Index position, Real* out) const {
    m_fire.row(parameters, position, out, m_length);
  }
  /// The parameters' gradient from the table's, added to `gradient`, which lies as the parameters do. Learnt ones
  /// alone.
  void backward(const Parameters<Real>& parameters, Index layer, const Real* dout, Real* gradient,
                const std::stop_token& stop = {}) const;

 private:
  enum class Kind { none, fixed, t5, kerple, fire, vq };

  Kind m_kind = Kind::none;
  Index m_heads;
  Index m_length;
  Index m_own = 0;  ///< vq: distances with a bias of their own; t5: buckets
  FireBias<Real> m_fire;
  std::vector<Real> m_fixed;            ///< [heads, length]
  std::vector<std::int32_t> m_buckets;  ///< [length]
};

}  // namespace vqscope
