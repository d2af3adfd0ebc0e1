// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config/transformer_config.h"

#include <memory>
#include <span>
#include <vector>

namespace vqscope {

/// One tensor of a model and where it lies among the model's numbers.
struct ParameterTensor {
  std::string name;  ///< as in Hugging Face Llama, with additional names
  std::vector<Index> shape;
  Index offset = 0;
  Index count = 0;
};

/// Where the tensors of one layer, or of one gated unit, begin; -1: the layer has none.
struct LayerOffsets {
  Index input_norm = -1;      ///< [d_model]
  Index q = -1;               ///< [heads · head_dim, d_model]
  Index k = -1;               ///< [kv heads · head_dim, d_model]
  Index v = -1;               ///< [kv heads · value_dim, d_model]
  Index o = -1;               ///< [d_model, heads · value_dim]
  Index q_bias = -1;          ///< [heads · head_dim]; added to queries
  Index k_bias = -1;          ///< [kv heads · head_dim]; added to keys
  Index learnt_bias = -1;     ///< [learnt_parameters(), heads]
  Index xl_r = -1;            ///< [heads · head_dim, d_model]; Transformer-XL's projection of distances
  Index xl_u = -1;            ///< [heads, head_dim]; added to queries for products with keys
  Index xl_v = -1;            ///< [heads, head_dim]; added to queries for products with distances
  Index vq_bias = -1;         ///< [heads, block_len + 1]
  Index memory_gate = -1;     ///< [heads]; its sigmoid is the weight of what is recalled
  Index post_norm = -1;       ///< [d_model]
  Index gate = -1;            ///< [d_ff, d_model]; SwiGLU only. SHGA: [d_v, d_model]
  Index up = -1;              ///< [d_ff, d_model]
  Index down = -1;            ///< [d_model, d_ff]
  Index codebook_sum = -1;    ///< [heads, n_code, head_dim]; moving averages, no gradient
  Index codebook_count = -1;  ///< [heads, n_code]
};

/// FIRE's parameters, shared by all layers; -1: none.
struct FireOffsets {
  Index c = -1;            ///< [1]; factor in the logarithm
  Index multiplier = -1;   ///< [1]; multiplies fire_threshold
  Index hidden = -1;       ///< [fire_width, 1]
  Index hidden_bias = -1;  ///< [fire_width]
  Index output = -1;       ///< [heads, fire_width]
  Index output_bias = -1;  ///< [heads]
};

/// Width of FIRE's hidden layer.
inline constexpr Index fire_width = 32;

/// All tensors of a model, one after another: first those learnt by gradient, then the codebooks.
/// Matrices are [out, in].
struct ParameterLayout {
  std::vector<ParameterTensor> tensors;
  Index count = 0;       ///< numbers of all tensors
  Index learnt = 0;      ///< numbers of tensors that have a gradient
  Index embedding = -1;  ///< [vocab, d_model]
  Index positions = -1;  ///< [max_pos, d_model]; learned positions only
  Index t5_bias = -1;    ///< [t5_buckets, heads]; shared by the layers
  FireOffsets fire = {};
  Index norm = -1;                   ///< [d_model]
  Index head = -1;                   ///< [vocab, d_model]; equal to `embedding` if the two are tied
  std::vector<LayerOffsets> layers;  ///< [attention_layers()]

  /// Null: there is no tensor of that name.
  const ParameterTensor* find(std::string_view name) const;
};

/// At most this many numbers: 4 GiB of float32.
inline constexpr Index most_parameters = Index{1} << 30;

/// The config has passed its check. Refuses more than most_parameters.
Result<std::shared_ptr<const ParameterLayout>> parameter_layout(const TransformerConfig& config);

/// "[32, 64]".
std::string shape_text(const std::vector<Index>& shape);

/// The numbers of a model's tensors, or of their gradients, which have the same layout.
template <class Real>
struct Parameters {
  std::shared_ptr<const ParameterLayout> layout;
  std::vector<Real> values;  ///< [layout->count]

  const Real* at(Index offset) const { return values.data() + offset; }
  Real* at(Index offset) { return values.data() + offset; }
  /// Null if the model has no such tensor.
  const Real* at_if(Index offset) const { return offset < 0 ? nullptr : at(offset); }
  Real* at_if(Index offset) { return offset < 0 ? nullptr : at(offset); }

  std::span<const Real> tensor(const ParameterTensor& one) const {
    return std::span(values).subspan(static_cast<std::size_t>(one.offset), static_cast<std::size_t>(one.count));
  }
  std::span<Real> tensor(const ParameterTensor& one) {
    return std::span(values).subspan(static_cast<std::size_t>(one.offset), static_cast<std::size_t>(one.count));
  }
};

/// All of them 0.
template <class Real>
Parameters<Real> zeros_of(std::shared_ptr<const ParameterLayout> layout) {
  const auto count = static_cast<std::size_t>(layout->count);
  return {std::move(layout), std::vector<Real>(count)};
}

}  // namespace vqscope
