// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"
#include "core/model/attention/vq_keys.h"
#include "core/model/position/distance_bias.h"
#include "core/model/position/rotary_tables.h"

#include <memory>

namespace vqscope {

/// A model that reads one sequence token by token and keeps what later tokens attend to: keys as the scores take them
/// (turned, or their codewords) and values. A token costs one row of every product; the logits are those of
/// TransformerPass over the whole sequence, but for the rounding of sums.
template <class Real>
class Decoder {
 public:
  /// At most `length` tokens at positions 0, 1, 2, ... The config has passed its check and must outlive this, as must
  /// the parameters. A mask is that of `length` tokens. Refuses more tokens than the table of learned positions
  /// has.
  static Result<std::unique_ptr<Decoder>> create(const TransformerConfig& config, const Parameters<Real>& parameters,
                                                 Index length);

  /// The logits [vocab] after one more token, which is within the vocabulary; there are fewer than `length` before it.
  std::span<const Real> read(std::int32_t token);

  /// As somebody else decides: `row` of a mask says which keys [0, tokens()] the token sees, of those that the kind of
  /// attention has, and `position`, below `length`, where it stands for rotation and embeddings. Distances for biases
  /// remain those of the tokens.
  struct Placed {
    const Mask& mask;
    Index row = 0;
    Index position = 0;
  };
  std::span<const Real> read(std::int32_t token, const Placed& placed);

  Index tokens() const { return m_tokens; }

 private:
  struct Layer {
    std::vector<Real> keys;           ///< [length, kv heads · head_dim]
    std::vector<Real> plain;          ///< ReRoPE, memorizing, infini: keys that are not turned
    std::vector<Real> states;         ///< infini: of the compressive memory, [kv heads, state_size()]
    std::vector<Real> values;         ///< [length, kv heads · value_dim]
    std::vector<Real> bias;           ///< [heads, length]; empty: none
    std::vector<Real> distance_keys;  ///< xl: [length, heads · head_dim]
    std::vector<Real> codebook;       ///< vq: [heads, n_code, head_dim]
  };

  Decoder(const TransformerConfig& config, const Parameters<Real>& parameters, Index length);
  std::span<const Real> read_visible(std::int32_t token);
  void embed(std::int32_t token);
  void attend(Layer& layer, const LayerOffsets& at);
  void attend_gated(Layer& layer, const LayerOffsets& at);
  void place(Layer& layer, const LayerOffsets& at);
  void attend_head(const Layer& layer, Index head);
  void recall(Layer& layer, const LayerOffsets& at);
  void transform(const LayerOffsets& at);

  const TransformerConfig& m_config;
  const Parameters<Real>& m_parameters;
  Index m_length;
  Index m_tokens = 0;
  Index m_position = 0;                ///< of the token that is read
  std::shared_ptr<const Mask> m_mask;  ///< null: none
  std::vector<Range> m_visible;        ///< keys of the token that is read
  std::vector<Layer> m_layers;
  DistanceBias<Real> m_distance_bias;
  RotaryTables<Real> m_rotary;
  RotaryTables<Real> m_far_rotary;
  std::vector<Real> m_sinusoids;  ///< [length, d_model]
  /// Of the token that is read.
  std::vector<Real> m_x, m_normed, m_q, m_far_q, m_plain_q, m_distance_q, m_context, m_gate, m_up, m_logits, m_weights;
};

}  // namespace vqscope
