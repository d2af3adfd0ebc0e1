// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"
#include "core/model/attention/vq_keys.h"
#include "core/model/position/distance_bias.h"
#include "core/model/position/positions.h"

#include <memory>

namespace vqscope {

/// A model that reads one sequence token by token and caches what later tokens attend to: values,
/// and keys as the scores take them (rotated, or replaced by codewords). A token costs one row of
/// every product. Logits equal those of TransformerPass over the whole sequence up to rounding.
template <class Real>
class Decoder {
 public:
  /// Reads at most `length` tokens at positions 0, 1, 2, ... The config has passed its check; it
  /// and the parameters must outlive the decoder. A mask is that of `length` tokens. Refuses more
  /// tokens than the table of learned positions has.
  static Result<std::unique_ptr<Decoder>> create(const TransformerConfig& config, const Parameters<Real>& parameters,
                                                 Index length);

  /// Logits [vocab] after one more token. Preconditions: the token is in the vocabulary, and fewer
  /// than `length` tokens come before it.
  std::span<const Real> read(std::int32_t token);

  /// Mask row and position chosen by the caller. `row` of a mask decides which keys [0, tokens()]
  /// the token sees, among those of the kind of attention. `position`, below `length`, is the
  /// token's position for rotation and embeddings. Biases still use the distances between tokens.
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
    std::vector<Real> plain;          ///< ReRoPE, VQ, memorizing, infini: keys before rotation
    std::vector<Real> states;         ///< infini: compressive memory, [kv heads, state_size()]
    std::vector<Real> values;         ///< [length, kv heads · value_dim]
    std::vector<Real> bias;           ///< [heads, distances]; empty: none
    std::vector<Real> distance_keys;  ///< xl: [distances, heads · head_dim]
    std::vector<Real> codebook;       ///< vq: [kv heads, n_code, head_dim]
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
  Index m_position = 0;                ///< of the token being read
  std::shared_ptr<const Mask> m_mask;  ///< null: none
  std::vector<Range> m_visible;        ///< keys that the token being read sees
  std::vector<Layer> m_layers;
  DistanceBias<Real> m_distance_bias;
  RotaryTables<Real> m_rotary;
  RotaryTables<Real> m_far_rotary;
  std::vector<Real> m_sinusoids;  ///< [length, d_model]
  /// Rows of the token being read.
  std::vector<Real> m_x, m_normed, m_q, m_far_q, m_plain_q, m_distance_q, m_context, m_gate, m_up, m_logits, m_weights;
};

}  // namespace vqscope
