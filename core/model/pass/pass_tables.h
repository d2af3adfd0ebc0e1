// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/attention/key_ranges.h"
#include "core/model/position/distance_bias.h"
#include "core/model/position/rotary_tables.h"
#include "core/model/tensors/arena.h"

namespace vqscope {

/// What all rows of a batch look up. Tables of positions have one row where every sequence has the positions 0, 1, ...
template <class Real>
class PassTables {
 public:
  /// `mask`: the model_mask of the batch's length.
  PassTables(const TransformerConfig& config, const Batch& batch, const Mask* mask);

  /// Takes from `arena` what the tables of biases, of Transformer-XL's distances and of codewords have, to be counted.
  static void count(Arena& arena, const TransformerConfig& config, Index length);

  /// What depends on the parameters: biases and codebooks.
  void update(const Parameters<Real>& parameters, int threads, const std::stop_token& stop);

  const KeyRanges& ranges() const { return m_ranges; }
  const DistanceBias<Real>& distance_bias() const { return m_distance_bias; }
  /// As DistanceBias writes it; null: none.
  const Real* bias(Index layer) const;
  /// Of a row, [length], where the bias is by the query's position as well; null: by distance alone.
  const std::int32_t* bias_positions(Index row) const {
    return m_distance_bias.by_position() ? positions(row).data() : nullptr;
  }
  /// Transformer-XL's sinusoids by distance, [length, d_model].
  const Real* sinusoids_by_distance() const { return m_distance_sinusoids.data(); }
  /// Their projection of a layer, [length, heads · head_dim]; null: there is none.
  const Real* distance_keys(Index layer) const;
  /// [heads, n_code, head_dim].
  const Real* codebook(Index layer) const { return m_codebooks[static_cast<std::size_t>(layer)].data(); }
  /// Of a row, [length].
  std::span<const std::int32_t> positions(Index row) const;
  /// Of a row, [length, head_dim / 2].
  const RotaryTables<Real>& rotary() const { return m_rotary; }
  std::size_t rotary_row(Index row) const;
  /// Of the one position rerope_window, [head_dim / 2].
  const RotaryTables<Real>& far_rotary() const { return m_far_rotary; }
  /// Of a row, [length, d_model]; null: none.
  const Real* sinusoids(Index row) const;

 private:
  const TransformerConfig& m_config;
  Index m_length;
  bool m_shared;
  std::vector<std::int32_t> m_positions;
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
