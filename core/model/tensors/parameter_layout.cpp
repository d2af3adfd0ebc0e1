// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tensors/parameter_layout.h"

#include "core/base/sentence.h"
#include "core/model/position/relative_bias.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Lays out one tensor after another. Once the count exceeds most_parameters or 64 bits, the layout
/// is marked as too large.
class LayoutMaker {
 public:
  explicit LayoutMaker(const TransformerConfig& config) : m_config(config) {}

  Result<std::shared_ptr<const ParameterLayout>> make() {
    const auto& c = m_config;
    m_layout.embedding = add("model.embed_tokens.weight", {c.vocab, c.d_model});
    if (c.pos == PositionKind::learned)
      m_layout.positions = add("model.position_embeddings.weight", {c.max_pos, c.d_model});
    if (c.score_bias() == PositionKind::t5_bias)
      m_layout.t5_bias = add("model.relative_attention_bias.weight", {c.t5_buckets, c.n_heads});
    if (c.score_bias() == PositionKind::fire) add_fire();
    for (Index layer = 0; layer < c.attention_layers() && !m_too_large; ++layer) add_layer(layer);
    m_layout.norm = add("model.norm.weight", {c.d_model});
    m_layout.head = c.tie_word_embeddings ? m_layout.embedding : add("lm_head.weight", {c.vocab, c.d_model});
    m_layout.learnt = m_layout.count;
    for (Index layer = 0; layer < c.attention_layers() && !m_too_large && c.quantises(); ++layer) add_codebook(layer);
    if (m_too_large)
      return Error{Errc::too_large,
                   fmt::format("the model has more than {} parameters, the most allowed", most_parameters)};
    return std::make_shared<const ParameterLayout>(std::move(m_layout));
  }

 private:
  Index add(std::string name, std::vector<Index> shape) {
    Index count = 1;
    for (const Index size : shape)
      if (__builtin_mul_overflow(count, size, &count)) m_too_large = true;
    m_too_large = m_too_large || count > most_parameters - m_layout.count;
    if (m_too_large) return 0;
    const Index offset = m_layout.count;
    m_layout.tensors.push_back({std::move(name), std::move(shape), offset, count});
    m_layout.count += count;
    return offset;
  }

  std::string prefix(Index layer) const {
    if (m_config.gated()) return fmt::format("model.layers.{}.gau.{}.", layer / 2, layer % 2);
    return fmt::format("model.layers.{}.", layer);
  }
  std::string attention_prefix(Index layer) const { return prefix(layer) + (m_config.gated() ? "" : "self_attn."); }

  /// The names of the paper's listing.
  void add_fire() {
    FireOffsets& at = m_layout.fire;
    at.c = add("model.fire.c", {1});
    at.multiplier = add("model.fire.L_multiplier", {1});
    at.hidden = add("model.fire.mlp.0.weight", {fire_width, 1});
    at.hidden_bias = add("model.fire.mlp.0.bias", {fire_width});
    at.output = add("model.fire.mlp.2.weight", {m_config.n_heads, fire_width});
    at.output_bias = add("model.fire.mlp.2.bias", {m_config.n_heads});
  }

  void add_layer(Index layer) {
    const auto& c = m_config;
    const std::string self = attention_prefix(layer);
    LayerOffsets at;
    at.input_norm = add(prefix(layer) + "input_layernorm.weight", {c.d_model});
    at.q = add(self + "q_proj.weight", {c.query_width(), c.d_model});
    at.k = add(self + "k_proj.weight", {c.key_width(), c.d_model});
    at.v = add(self + "v_proj.weight", {c.value_width(), c.d_model});
    if (c.gated()) at.gate = add(self + "g_proj.weight", {c.value_width(), c.d_model});
    at.o = add(self + "o_proj.weight", {c.d_model, c.context_width()});
    if (c.qk_bias) {
      at.q_bias = add(self + "q_proj.bias", {c.query_width()});
      at.k_bias = add(self + "k_proj.bias", {c.key_width()});
    }
    if (c.pos == PositionKind::xl) {
      at.xl_r = add(self + "r_proj.weight", {c.query_width(), c.d_model});
      at.xl_u = add(self + "u", {c.n_heads, c.head_dim});
      at.xl_v = add(self + "v", {c.n_heads, c.head_dim});
    }
    for (const LearntParameter& learnt : learnt_parameters(c)) {
      const Index offset = add(self + learnt_tensor_name(*bias_method(c), learnt), {c.n_heads});
      if (at.learnt_bias < 0) at.learnt_bias = offset;
    }
    if (c.pos == PositionKind::vq) at.vq_bias = add(self + "vq_bias", {c.n_heads, c.block_len + 1});
    if (c.recalls(layer)) at.memory_gate = add(self + "gate", {c.n_heads});
    if (!c.gated()) add_mlp(layer, at);
    m_layout.layers.push_back(at);
  }

  void add_mlp(Index layer, LayerOffsets& at) {
    const auto& c = m_config;
    const std::string mlp = prefix(layer) + "mlp.";
    at.post_norm = add(prefix(layer) + "post_attention_layernorm.weight", {c.d_model});
    if (c.mlp == MlpKind::swiglu) at.gate = add(mlp + "gate_proj.weight", {c.d_ff, c.d_model});
    at.up = add(mlp + "up_proj.weight", {c.d_ff, c.d_model});
    at.down = add(mlp + "down_proj.weight", {c.d_model, c.d_ff});
  }

  void add_codebook(Index layer) {
    const auto& c = m_config;
    auto& at = m_layout.layers[static_cast<std::size_t>(layer)];
    at.codebook_sum = add(attention_prefix(layer) + "codebook_sum", {c.n_kv_heads, c.n_code, c.head_dim});
    at.codebook_count = add(attention_prefix(layer) + "codebook_count", {c.n_kv_heads, c.n_code});
  }

  const TransformerConfig& m_config;
  ParameterLayout m_layout;
  bool m_too_large = false;
};

}  // namespace

const ParameterTensor* ParameterLayout::find(std::string_view name) const {
  const auto found = std::ranges::find(tensors, name, &ParameterTensor::name);
  return found == tensors.end() ? nullptr : &*found;
}

Result<std::shared_ptr<const ParameterLayout>> parameter_layout(const TransformerConfig& config) {
  return LayoutMaker(config).make();
}

std::string shape_text(const std::vector<Index>& shape) {
  std::vector<std::string> sizes;
  for (const Index size : shape) sizes.push_back(to_text(size));
  return fmt::format("[{}]", join(sizes, ", "));
}

}  // namespace vqscope
