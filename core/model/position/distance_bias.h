// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/fire/fire_network.h"
#include "core/model/tensors/parameter_layout.h"

#include <cstdint>
#include <stop_token>

namespace vqscope {

/// Distances that tables hold for so many queries with at most `kept` keys before them. Keys before those, if any, are
/// known by code alone and count as one distance more.
inline Index table_distances(const TransformerConfig& config, Index length, Index kept) {
  return config.distances(kept + length + (kept > 0 ? 1 : 0));
}

/// FIRE (Li et al. 2023, "Functional interpolation for relative positions", equation 4 and the listing of its
/// appendix): a network with one hidden layer of ReLU, the same in all layers of the model, of the distance n and the
/// position p of the query, counted from 0:
///
///   bias[head, p, n] = W2 relu(W1 x + b1) + b2
///
/// with x of FireScale and L = |multiplier| · fire_threshold. Tables are [heads, length, distances(length)] by position
/// and distance; VQ attention counts distances above block_len as block_len.
template <class Real>
class FireBias {
 public:
  FireBias(const TransformerConfig& config, Index length, Index kept = 0, Index first = 0)
      : m_heads(config.n_heads),
        m_length(length),
        m_first(first),
        m_distances(table_distances(config, length, kept)),
        m_most(config.quantises() ? config.block_len : kept + length),
        m_threshold(static_cast<Real>(config.fire_threshold)) {}

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
  Index m_first;  ///< position of the table's first row
  Index m_distances;
  Index m_most;  ///< larger distances count as this one
  Real m_threshold;
};

/// The bias added to scores by head and distance query - key: a table [heads, length] per layer,
/// from a method of bias_methods(), with parameters of each layer where it learns some (KERPLE), or
/// from a table (T5's, shared by all layers; the VQ bias per layer). FIRE's bias, shared by all layers, also depends on
/// the query's position: a table [heads, length, length]. In VQ attention tables have distances(length) columns; the
/// last stands for all distances above block_len, which have the bias of block_len (the VQ bias: 0).
template <class Real>
class DistanceBias {
 public:
  /// `length`: number of queries, the first of which has position `first`, with `kept` keys before it.
  DistanceBias(const TransformerConfig& config, Index length, Index kept = 0, Index first = 0);

  bool none() const { return m_kind == Kind::none; }
  bool learnt() const { return m_kind != Kind::none && m_kind != Kind::fixed; }
  /// Whether all layers share one table.
  bool shared() const { return m_kind == Kind::fixed || m_kind == Kind::t5 || m_kind == Kind::fire; }
  bool by_position() const { return m_kind == Kind::fire; }
  /// Number of elements of a table.
  Index size() const { return m_heads * m_distances * (by_position() ? m_length : 1); }

  /// Writes size() numbers to `out`; after a stop, those of FIRE are undefined.
  void forward(const Parameters<Real>& parameters, Index layer, Real* out, int threads = 1,
               const std::stop_token& stop = {}) const;
  /// The biases of one position for distances 0 to that position, [heads, distances]. Requires
  /// by_position().
  void forward_row(const Parameters<Real>& parameters, Index position, Real* out) const {
    m_fire.row(parameters, position, out, m_distances);
  }
  /// Adds the gradient by the parameters, computed from that by the table, to `gradient`, which has
  /// the layout of the parameters. Learnt biases only.
  void backward(const Parameters<Real>& parameters, Index layer, const Real* dout, Real* gradient,
                const std::stop_token& stop = {}) const;

 private:
  enum class Kind { none, fixed, learnt, t5, fire, vq };

  std::vector<double> row_of_distances() const;
  /// In VQ attention: distances above block_len take the number of block_len.
  void end_distances(std::vector<double>& row) const;
  void forward_learnt(const Parameters<Real>& parameters, Index offset, Real* out) const;
  void backward_learnt(const Parameters<Real>& parameters, Index offset, const Real* dout, Real* gradient) const;
  /// The learnt parameters of a head.
  std::vector<double> learnt_of(const Parameters<Real>& parameters, Index offset, Index head) const;

  Kind m_kind = Kind::none;
  TransformerConfig m_config;
  Index m_heads;
  Index m_distances;
  Index m_length;
  Index m_own = 0;  ///< vq: distances with a bias of their own; t5: buckets
  FireBias<Real> m_fire;
  std::vector<Real> m_fixed;            ///< [heads, distances]
  std::vector<std::int32_t> m_buckets;  ///< [distances]
};

}  // namespace vqscope
