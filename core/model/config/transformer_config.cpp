// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config/transformer_config.h"

#include "core/base/sentence.h"
#include "core/encoding/t5/t5_bucket.h"
#include "core/mask/language/plain_mask.h"

#include <algorithm>

namespace vqscope {
namespace {

std::string is(const char* name, Index value) { return fmt::format("{} is {}", name, value); }

Result<void> check_heads(const TransformerConfig& config) {
  if (config.n_heads % config.n_kv_heads != 0)
    return invalid("{} but must divide n_heads, {}", is("n_kv_heads", config.n_kv_heads), config.n_heads);
  if (config.rotates() && config.head_dim % 2 != 0)
    return invalid(is(config.gated() ? "d_k" : "head_dim", config.head_dim) +
                   " but must be even to be rotated in pairs");
  if (config.rope_scaling == "ntk" && config.head_dim <= 2)
    return invalid(is(config.gated() ? "d_k" : "head_dim", config.head_dim) +
                   " but must be above 2 for rope_scaling \"ntk\"");
  if (config.pos == PositionKind::sinusoidal && config.d_model % 2 != 0)
    return invalid(is("d_model", config.d_model) + " but must be even for sinusoidal positions");
  if (config.pos == PositionKind::xl && config.d_model % 2 != 0)
    return invalid(is("d_model", config.d_model) +
                   " but must be even for pos \"xl\": a sine and a cosine of a frequency");
  return {};
}

Result<void> check_layer(const TransformerConfig& config) {
  if (!config.gated()) return {};
  if (config.qk_bias) return invalid("qk_bias is true, layer_kind must be \"transformer\"");
  if (config.n_heads != 1 || config.n_kv_heads != 1)
    return invalid(is("n_heads", config.n_heads) +
                   " but must be 1 for layer_kind \"shga\": its attention has one head");
  if (config.d_v < 1) return invalid(is("d_v", config.d_v) + " but must be at least 1 for layer_kind \"shga\"");
  return {};
}

Result<void> check_position(const TransformerConfig& config) {
  if (config.rope_scaling != "default" && !config.rotates())
    return invalid("rope_scaling is given, pos must be \"rope\" or \"xpos\"");
  if (config.rerope_window > 0 && config.pos != PositionKind::rope)
    return invalid("rerope_window is given, pos must be \"rope\"");
  if (config.bias != PositionKind::nope && !config.rotates())
    return invalid("bias is given, pos must be \"rope\" or \"xpos\": other positions take no additional bias");
  if (config.yarn_beta_fast <= config.yarn_beta_slow)
    return invalid("yarn_beta_fast is {} but must be above yarn_beta_slow, {}", to_text(config.yarn_beta_fast),
                   to_text(config.yarn_beta_slow));
  if (config.sandwich_dim % 2 != 0) return invalid(is("sandwich_dim", config.sandwich_dim) + " but must be even");
  if (config.score_bias() != PositionKind::t5_bias) return {};
  if (config.t5_buckets < 2) return invalid(is("t5_buckets", config.t5_buckets) + " but must be at least 2");
  return T5Buckets{config.t5_buckets, config.t5_max_distance, false, T5Arithmetic::exact}.check();
}

Result<void> check_memory_layers(const TransformerConfig& config) {
  for (std::size_t i = 0; i < config.memory_layers.size(); ++i) {
    const Index layer = config.memory_layers[i];
    if (layer < 0 || layer >= config.n_layers)
      return invalid("memory_layers has {} but must have layers from 0 to {}", layer, config.n_layers - 1);
    if (i > 0 && layer <= config.memory_layers[i - 1])
      return invalid("memory_layers has {} after {} but must be ascending", layer, config.memory_layers[i - 1]);
  }
  return {};
}

Result<void> check_segments(const TransformerConfig& config) {
  if (config.clamp_len > 0 && config.pos != PositionKind::xl)
    return invalid("clamp_len is given, pos must be \"xl\": distances of no other position are clamped");
  if (config.same_length && (config.attn != AttentionKind::xl || config.memory < 1))
    return invalid("same_length is true, attn must be \"xl\" with a memory of at least 1 token");
  if (!config.in_segments()) return {};
  if (config.segment < 1) return invalid(is("segment", config.segment) + " but must be at least 1 token");
  if (config.gated())
    return invalid(
        "layer_kind is \"shga\", attn must be \"full\", \"window\", \"mask\" or \"vq\": gated units have no segments");
  if (config.attn != AttentionKind::memorizing) return {};
  if (config.memory > 0 && config.top_k > config.memory)
    return invalid("{} but must be at most memory, {}", is("top_k", config.top_k), config.memory);
  return check_memory_layers(config);
}

Result<void> check_attention(const TransformerConfig& config) {
  if (auto checked = check_segments(config); !checked) return checked;
  if (config.attn == AttentionKind::window && config.window < 1)
    return invalid(is("window", config.window) + " but must be at least 1 for attn \"window\"");
  if (config.attn == AttentionKind::mask)
    if (auto program = plain_program(config.mask); !program) return program.error();
  if (config.pos == PositionKind::vq && !config.quantises())
    return invalid("pos is \"vq\", attn must be \"vq\" too: its bias is one of blocks");
  if (!config.quantises()) return {};
  if (config.rerope_window > 0)
    return invalid(is("rerope_window", config.rerope_window) +
                   " but must be 0 for attn \"vq\": distances above block_len count as block_len");
  if (config.clamp_len > 0)
    return invalid(is("clamp_len", config.clamp_len) +
                   " but must be 0 for attn \"vq\": distances above block_len have no product");
  return {};
}

}  // namespace

bool TransformerConfig::recalls(Index layer) const {
  if (attn != AttentionKind::memorizing) return compresses();
  if (memory_layers.empty()) return layer == n_layers - 1;
  return std::ranges::find(memory_layers, layer) != memory_layers.end();
}

Result<void> TransformerConfig::check() const {
  if (auto checked = check_layer(*this); !checked) return checked;
  if (auto checked = check_heads(*this); !checked) return checked;
  if (auto checked = check_position(*this); !checked) return checked;
  return check_attention(*this);
}

void use_gated_layers(TransformerConfig& config, Index d_k, Index d_v) {
  const Index attention = 2 * (config.query_width() + config.key_width());
  const Index mlp = (config.mlp == MlpKind::swiglu ? 3 : 2) * config.d_ff;
  if (d_k == 0) d_k = config.head_dim;
  if (d_v == 0) d_v = std::max<Index>(1, (attention + mlp - 4 * d_k) / 6);
  config.layer_kind = ModelLayerKind::shga;
  config.n_heads = config.n_kv_heads = 1;
  config.head_dim = d_k;
  config.d_v = d_v;
}

}  // namespace vqscope
