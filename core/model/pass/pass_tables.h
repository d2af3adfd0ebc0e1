// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/attention/vq_keys.h"
#include "core/model/position/distance_bias.h"
#include "core/model/position/positions.h"
#include "core/model/tensors/arena.h"

namespace vqscope {

/// Tables that all rows of a batch look up. Tables of positions have one row where every sequence
/// has the positions 0, 1, ...
template <class Real>
class PassTables {
 public:
  /// `mask` is the model_mask for the batch's length. Of the tokens before the batch, keys of `kept` are known, of
  /// at most `carried` in any batch.
  PassTables(const TransformerConfig& config, const Batch& batch, const Mask* mask, Index kept = 0, Index carried = 0);

  /// Counts the tables of biases, of Transformer-XL's distances and of codewords in `arena`.
  static void count(Arena& arena, const TransformerConfig& config, Index length, Index carried);

  /// Recomputes the tables that depend on the parameters: biases and codebooks.
  void update(const Parameters<Real>& parameters, int threads, const std::stop_token& stop);

  const KeyRanges& ranges() const { return m_ranges; }
  const DistanceBias<Real>& distance_bias() const { return m_distance_bias; }
  /// The bias as DistanceBias writes it; null: none.
  const Real* bias(Index layer) const;
  /// Rows of the bias's table for a row's tokens, [length], if it depends on the query's position too; null: it
  /// depends on the distance alone. VQ attention counts from the row's first token.
  const std::int32_t* bias_positions(Index row) const {
    return m_distance_bias.by_position() ? (m_indexed ? m_indices : positions(row)).data() : nullptr;
  }
  /// Transformer-XL's sinusoids by distance times distance_scale, [distances, d_model].
  const Real* sinusoids_by_distance() const { return m_distance_sinusoids.data(); }
  /// Their projection in a layer, [distances, heads · head_dim]; null: none.
  const Real* distance_keys(Index layer) const;
  /// [kv heads, n_code, head_dim].
  const Real* codebook(Index layer) const { return m_codebooks[static_cast<std::size_t>(layer)].data(); }
  /// Positions of a row, [length].
  std::span<const std::int32_t> positions(Index row) const;
  /// Tables [length, head_dim / 2] for each row; for VQ attention one, of the row's indices, which begins with the
  /// tokens that are kept.
  const RotaryTables<Real>& rotary() const { return m_rotary; }
  /// Where the tables of a row's tokens begin.
  std::size_t rotary_row(Index row) const;
  /// Distances that tables hold.
  Index distances() const { return m_distances; }
  /// Tables [head_dim / 2] for the single position far_distance().
  const RotaryTables<Real>& far_rotary() const { return m_far_rotary; }
  /// Sinusoids of a row, [length, d_model]; null: none.
  const Real* sinusoids(Index row) const;

 private:
  const TransformerConfig& m_config;
  Index m_length;
  Index m_kept;
  Index m_distances;
  bool m_shared;
  bool m_indexed;  ///< rows of the bias's table are indices, not positions
  std::vector<std::int32_t> m_positions;
  std::vector<std::int32_t> m_indices;  ///< 0, 1, ..., length - 1
  KeyRanges m_ranges;
  DistanceBias<Real> m_distance_bias;
  RotaryTables<Real> m_rotary;
  RotaryTables<Real> m_far_rotary;
  std::vector<Real> m_sinusoids;
  std::vector<Real> m_distance_sinusoids;
  std::vector<std::vector<Real>> m_distance_keys;  ///< by layer
  std::vector<std::vector<Real>> m_biases;         ///< by layer; one where they share it
  std::vector<std::vector<Real>> m_codebooks;      ///< by layer
};

}  // namespace vqscope
