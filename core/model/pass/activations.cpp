// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pass/activations.h"

#include "core/model/position/distance_bias.h"

namespace vqscope {
namespace {

template <class Real>
LayerActivations<Real> lay_out_layer(Arena& arena, const TransformerConfig& c, const ActivationShape& shape) {
  const Index rows = shape.rows, length = shape.length;
  const auto array = [&](Index width) { return arena.take<Real>({rows, length, width}); };
  LayerActivations<Real> a;
  a.input = array(c.d_model);
  a.input_r = array(1);
  a.input_normed = array(c.d_model);
  a.q = array(c.query_width());
  a.k = array(c.key_width());
  a.v = array(c.value_width());
  if (c.pos == PositionKind::xl) a.distance_q = array(c.query_width());
  if (c.normalises() || c.recalls()) {
    a.plain_q = array(c.query_width());
    a.plain_k = array(c.key_width());
  }
  if (c.normalises()) {
    a.q_r = array(c.n_heads);
    a.k_r = array(c.n_kv_heads);
  }
  if (c.quantises()) {
    a.quantised = array(c.key_width());
    a.codes = arena.take<std::int32_t>({rows, c.n_kv_heads, length});
    if (c.rotates()) a.rotated = array(c.key_width());
    if (c.far_distance() > 0) a.far_q = array(c.query_width());
  }
  a.weights = shape.keep == Keep::logits ? arena.take<Real>({shape.block, shape.columns})
                                         : arena.take<Real>({rows, c.n_heads, length, shape.columns});
  a.context = array(c.context_width());
  if (c.recalls()) {
    a.near_context = array(c.context_width());
    a.recalled = array(c.context_width());
  }
  if (c.attn == AttentionKind::memorizing) {
    a.retrieved = arena.take<std::int32_t>({rows, c.n_heads, length, c.top_k});
    a.retrieved_weights = arena.take<Real>({rows, c.n_heads, length, c.top_k});
  }
  if (c.compresses()) a.states = arena.take<Real>({rows, shape.states});
  if (c.gated()) {
    a.plain_v = array(c.d_v);
    a.gate = array(c.d_v);
    a.hidden = array(c.d_v);
    return a;
  }
  a.middle = array(c.d_model);
  a.middle_r = array(1);
  a.middle_normed = array(c.d_model);
  if (c.mlp == MlpKind::swiglu) a.gate = array(c.d_ff);
  a.up = array(c.d_ff);
  a.hidden = array(c.d_ff);
  return a;
}

template <class Real>
PassGradients<Real> lay_out_gradients(Arena& arena, const TransformerConfig& c, const ActivationShape& shape) {
  const auto array = [&](Index width) { return arena.take<Real>({shape.rows, shape.length, width}); };
  PassGradients<Real> d;
  d.residual = array(c.d_model);
  d.normed = array(c.d_model);
  d.q = array(c.query_width());
  d.k = array(c.key_width());
  d.v = array(c.value_width());
  if (c.normalises()) {
    d.plain_q = array(c.query_width());
    d.plain_k = array(c.key_width());
  }
  d.context = array(c.context_width());
  if (c.recalls()) d.recalled = array(c.context_width());
  if (c.attn == AttentionKind::xl) {
    d.earlier_k = array(c.key_width());
    d.earlier_v = array(c.value_width());
    d.earlier_normed = array(c.d_model);
  }
  const Index distances = table_distances(c, shape.length, shape.carried);
  d.bias = arena.take<Real>({c.n_heads, distances, c.score_bias() == PositionKind::fire ? shape.length : 1});
  if (c.pos == PositionKind::xl) {
    d.distance_q = array(c.query_width());
    d.distance_k = arena.take<Real>({distances, c.query_width()});
    d.parted = arena.take<Real>({shape.block, shape.columns});
  }
  if (c.quantises() && c.far_distance() > 0) {
    d.far_q = array(c.query_width());
    d.far_k = array(c.key_width());
    d.parted = arena.take<Real>({shape.block, shape.columns});
  }
  if (c.quantises() && shape.carried > 0) {
    const Index keys = shape.carried + shape.length;
    d.joined_k = arena.take<Real>({keys, c.key_width()});
    d.joined_v = arena.take<Real>({keys, c.value_width()});
    if (c.far_distance() > 0) d.joined_far_k = arena.take<Real>({keys, c.key_width()});
  }
  if (c.gated()) d.plain_v = array(c.d_v);
  if (c.gated() || c.mlp == MlpKind::swiglu) d.gate = array(c.gated() ? c.d_v : c.d_ff);
  if (!c.gated()) d.up = array(c.d_ff);
  d.hidden = array(c.gated() ? c.d_v : c.d_ff);
  d.logits = array(c.vocab);
  d.parameters = arena.take<Real>({shape.learnt});
  return d;
}

template <class Real>
void lay_out_joined(Arena& arena, const TransformerConfig& c, Index keys, Activations<Real>& a) {
  a.joined_k = arena.take<Real>({keys, c.key_width()});
  a.joined_v = arena.take<Real>({keys, c.value_width()});
  if (!c.quantises()) return;
  if (c.rotates()) a.joined_rotated = arena.take<Real>({keys, c.key_width()});
  a.joined_codes = arena.take<std::int32_t>({c.n_kv_heads, keys});
}

}  // namespace

template <class Real>
Activations<Real> lay_out(Arena& arena, const TransformerConfig& config, const ActivationShape& shape) {
  const auto array = [&](Index width) { return arena.take<Real>({shape.rows, shape.length, width}); };
  Activations<Real> a;
  for (Index layer = 0; layer < config.attention_layers(); ++layer) {
    const bool shared = layer > 0 && shape.keep == Keep::logits;
    a.layers.push_back(shared ? a.layers.front() : lay_out_layer<Real>(arena, config, shape));
  }
  a.output = array(config.d_model);
  a.output_r = array(1);
  a.output_normed = array(config.d_model);
  a.logits = array(config.vocab);
  a.scores = arena.take<Real>({shape.block, shape.columns});
  if (config.rerope_window > 0) {
    a.far_q = array(config.query_width());
    a.far_k = array(config.key_width());
  }
  if (config.attn == AttentionKind::memorizing) a.stored_scores = arena.take<Real>({shape.block, shape.length});
  if (shape.carried > 0) lay_out_joined(arena, config, shape.carried + shape.length, a);
  if (config.quantises() && config.cache) a.on_cache = arena.take<Real>({config.n_heads, shape.length});
  if (shape.keep != Keep::logits) a.branch = array(config.d_model);
  if (shape.keep != Keep::logits) a.d = lay_out_gradients<Real>(arena, config, shape);
  return a;
}

template Activations<float> lay_out(Arena&, const TransformerConfig&, const ActivationShape&);
template Activations<double> lay_out(Arena&, const TransformerConfig&, const ActivationShape&);

}  // namespace vqscope
