// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer/layers.h"
#include "core/model/pass/layer_pass.h"
#include "core/model/pass/recall_pass.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// The blocks whose keys and values the gradient of VQ attention reaches.
AttentionReach reach_of(const TransformerConfig& config) {
  if (!config.quantises() || config.grad_mode == VqGradient::dense_ste) return {};
  if (config.grad_mode == VqGradient::truncated) return {.keys = 1, .window = config.backprop_blocks};
  return {.keys = 1};
}

/// A state is constant.
template <class Real>
AttentionReach reach_of(const LayerPass<Real>& pass) {
  AttentionReach reach = reach_of(pass.config);
  if (pass.kept() == 0) return reach;
  reach.first = 1;
  reach.before = pass.state->tokens() / pass.config.block_len - 1;
  return reach;
}

/// One row's weights.
template <class Real>
Real* weights_of(const LayerPass<Real>& pass, Index number, Index row) {
  const Index columns = attention_columns(pass.config, pass.length, pass.keep, pass.carried);
  const Index of_row = pass.keep == Keep::logits ? 0 : pass.config.n_heads * pass.length * columns;
  return pass.layer(number).weights + row * of_row;
}

/// One row's arrays.
template <class Real>
LinearVqOperands<Real> linear_input_of(const LayerPass<Real>& pass, Index number, Index row) {
  const auto& layer = pass.layer(number);
  const Index tokens = row * pass.length * pass.config.query_width();
  const Index keys = row * pass.length * pass.config.key_width();
  LinearVqOperands<Real> in{.q = layer.q + tokens,
                            .quantised = layer.quantised + keys,
                            .near_k = layer.rotated ? layer.rotated + keys : nullptr,
                            .far_q = layer.far_q ? layer.far_q + tokens : nullptr,
                            .v = layer.v + row * pass.length * pass.config.value_width(),
                            .codebook = pass.tables.codebook(number),
                            .codes = layer.codes + row * pass.length * pass.config.n_kv_heads,
                            .bias = pass.tables.bias(number),
                            .bias_positions = pass.tables.bias_positions(pass.rows.begin + row),
                            .distance_q = layer.distance_q ? layer.distance_q + tokens : nullptr,
                            .distance_k = pass.tables.distance_keys(number)};
  if (pass.state) use_joined(pass, number, row, in);
  return in;
}

/// One row's arrays.
template <class Real>
AttentionOperands<Real> input_of(const LayerPass<Real>& pass, Index number, Index row) {
  const auto& layer = pass.layer(number);
  const Index queries = row * pass.length * pass.config.query_width();
  const Index keys = row * pass.length * pass.config.key_width();
  const Index values = row * pass.length * pass.config.value_width();
  const Real* far_q = layer.far_q ? layer.far_q : pass.a.far_q;
  const Real* far_k = layer.far_q ? layer.quantised : pass.a.far_k;
  AttentionOperands<Real> in{.q = layer.q + queries,
                             .k = (layer.rotated     ? layer.rotated
                                   : layer.quantised ? layer.quantised
                                                     : layer.k) +
                                  keys,
                             .v = layer.v + values,
                             .bias = pass.tables.bias(number),
                             .bias_positions = pass.tables.bias_positions(pass.rows.begin + row),
                             .far_q = far_q ? far_q + queries : nullptr,
                             .far_k = far_k ? far_k + keys : nullptr,
                             .distance_q = layer.distance_q ? layer.distance_q + queries : nullptr,
                             .distance_k = pass.tables.distance_keys(number)};
  if (pass.state) use_joined(pass, in);
  return in;
}

}  // namespace

Index attention_block(const TransformerConfig& config, Index length, Index carried) {
  constexpr Index most = 64;
  return std::min(carried + length, config.quantises()     ? config.block_len
                                    : config.in_segments() ? std::min(config.segment, most)
                                                           : most);
}

bool attends_by_codes(const TransformerConfig& config, Index length, Keep keep, Index carried) {
  return config.quantises() && config.cache && keep != Keep::everything &&
         (carried > 0 || 2 * config.block_len + config.n_code < length);
}

Index attention_columns(const TransformerConfig& config, Index length, Keep keep, Index carried) {
  if (attends_by_codes(config, length, keep, carried)) return 2 * config.block_len + config.n_code;
  const Index others = attention_block(config, length, carried) - 1;  // their spans begin one key apart
  length += carried;
  if (config.attn == AttentionKind::window) return std::min(length, config.window + others);
  if (config.quantises() && !config.cache) return std::min(length, config.block_len + 1 + others);
  if (config.attn == AttentionKind::xl) return std::min(length, config.segment + config.memory);
  if (config.in_segments()) return std::min(length, config.segment);
  return length;
}

template <class Real>
bool LayerPass<Real>::by_codes() const {
  return attends_by_codes(config, length, keep, carried);
}

/// Normalised queries and keys already include the scale.
template <class Real>
AttentionShape LayerPass<Real>::attention_shape() const {
  return {.length = kept() + length,
          .heads = config.n_heads,
          .kv_heads = config.n_kv_heads,
          .head_dim = config.head_dim,
          .scale = config.normalises() ? 1 : 1 / std::sqrt(static_cast<double>(config.head_dim)),
          .block = attention_block(config, length, carried),
          .segment = config.in_segments() ? config.segment : 0,
          .columns = attention_columns(config, length, keep, carried),
          .far_from = config.far_distance(),
          .value_dim = config.value_dim(),
          .distances = tables.distances(),
          .first = kept()};
}

namespace {

/// The sum over heads and counted labels of one row.
template <class Real>
double counted_on_cache(const LayerPass<Real>& pass, Index row) {
  if (pass.labels.empty()) return 0;
  const auto labels = pass.labels.subspan(static_cast<std::size_t>(row * pass.length));
  double sum = 0;
  for (Index head = 0; head < pass.config.n_heads; ++head)
    for (Index t = 0; t < pass.length; ++t)
      if (labels[static_cast<std::size_t>(t)] != uncounted_label)
        sum += static_cast<double>(pass.a.on_cache[head * pass.length + t]);
  return sum;
}

}  // namespace

template <class Real>
void LayerPass<Real>::mix(Index number, LayerSums& sums) const {
  const auto& c = config;
  const bool recalls = c.recalls(number);
  sums.commit += place_queries_and_keys(*this, number);
  for (Index row = 0; row < rows.size(); ++row) {
    const AttentionWeights<Real> weights{weights_of(*this, number, row), keep != Keep::logits, a.on_cache};
    Real* context = (recalls ? layer(number).near_context : layer(number).context) + row * length * c.context_width();
    if (state) join(*this, number, row);
    if (by_codes())
      linear_vq_attention(linear_vq_shape(), linear_input_of(*this, number, row), weights, context, a.scores,
                          state ? state->after(number, rows.begin + row).totals.data() : nullptr);
    else
      attention(attention_shape(), input_of(*this, number, row), tables.ranges(), rows.begin + row, weights, context,
                a.scores);
    if (state) keep_latest(*this, number, row);
    if (a.on_cache) sums.on_cache += counted_on_cache(*this, row);
  }
  if (recalls) recall(*this, number);
}

template <class Real>
void LayerPass<Real>::attend(Index number, LayerSums& sums) const {
  const auto& c = config;
  const auto& at = offsets(number);
  const auto& l = layer(number);
  RmsNorm<Real>{tokens(), c.d_model, static_cast<Real>(c.eps)}.forward(l.input, parameters.at(at.input_norm),
                                                                       l.input_normed, l.input_r);
  linear({tokens(), c.d_model, c.query_width()}, l.input_normed, parameters.at(at.q), projected_queries(l));
  linear({tokens(), c.d_model, c.key_width()}, l.input_normed, parameters.at(at.k), projected_keys(l));
  linear({tokens(), c.d_model, c.key_width()}, l.input_normed, parameters.at(at.v), l.v);
  if (c.qk_bias) {
    add_bias(tokens(), c.query_width(), parameters.at(at.q_bias), projected_queries(l));
    add_bias(tokens(), c.key_width(), parameters.at(at.k_bias), projected_keys(l));
  }
  if (stop.stop_requested()) return;
  mix(number, sums);
  if (stop.stop_requested()) return;
  std::copy_n(l.input, tokens() * c.d_model, l.middle);
  add_branch(*this, {number, DropoutPlace::Branch::attention}, c.query_width(), l.context, parameters.at(at.o),
             l.middle);
}

namespace {

/// Computes a.d.q, a.d.k and a.d.v from a.d.context.
template <class Real>
void scores_backward(const LayerPass<Real>& pass, Index number) {
  const auto& c = pass.config;
  const auto& d = pass.a.d;
  const auto& bias = pass.tables.distance_bias();
  const Index length = pass.length;
  std::fill_n(d.q, pass.tokens() * c.query_width(), Real{0});
  std::fill_n(d.k, pass.tokens() * c.key_width(), Real{0});
  std::fill_n(d.v, pass.tokens() * c.value_width(), Real{0});
  if (d.earlier_k) {
    std::fill_n(d.earlier_k, pass.tokens() * c.key_width(), Real{0});
    std::fill_n(d.earlier_v, pass.tokens() * c.value_width(), Real{0});
  }
  std::fill_n(d.bias, bias.size(), Real{0});
  if (d.distance_q) {
    std::fill_n(d.distance_q, pass.tokens() * c.query_width(), Real{0});
    std::fill_n(d.distance_k, pass.tables.distances() * c.query_width(), Real{0});
  }
  if (d.far_q) {
    std::fill_n(d.far_q, pass.tokens() * c.query_width(), Real{0});
    std::fill_n(d.far_k, pass.tokens() * c.key_width(), Real{0});
  }
  for (Index row = 0; row < pass.rows.size(); ++row) {
    const Index queries = row * length * c.query_width();
    const Index keys = row * length * c.key_width(), values = row * length * c.value_width();
    const Index contexts = row * length * c.context_width();
    const Real* weights = weights_of(pass, number, row);
    AttentionGradient<Real> of_row{.q = d.q + queries,
                                   .k = d.k + keys,
                                   .v = d.v + values,
                                   .bias = bias.learnt() ? d.bias : nullptr,
                                   .distance_q = d.distance_q ? d.distance_q + queries : nullptr,
                                   .distance_k = d.distance_k,
                                   .far_q = d.far_q ? d.far_q + queries : nullptr,
                                   .far_k = d.far_k ? d.far_k + keys : nullptr,
                                   .parted = d.parted,
                                   .earlier_k = d.earlier_k ? d.earlier_k + keys : nullptr,
                                   .earlier_v = d.earlier_v ? d.earlier_v + values : nullptr};
    if (pass.state) {
      join(pass, number, row);
      begin_joined_gradients(pass, of_row);
    }
    if (pass.by_codes())
      linear_vq_backward(pass.linear_vq_shape(), linear_input_of(pass, number, row), weights, d.context + contexts,
                         reach_of(pass), pass.a.scores, of_row);
    else
      attention_backward(pass.attention_shape(), input_of(pass, number, row), pass.tables.ranges(),
                         pass.rows.begin + row, weights, d.context + contexts, reach_of(pass), pass.a.scores, of_row);
    if (pass.state) add_joined_gradients(pass, row);
  }
  if (bias.learnt()) bias.backward(pass.parameters, number, d.bias, d.parameters, pass.stop);
}

}  // namespace

template <class Real>
std::pair<const Real*, const Real*> LayerPass<Real>::mix_backward(Index number, Real commit_scale) const {
  const auto& d = a.d;
  const bool recalls = config.recalls(number);
  if (recalls) recall_gate_backward(*this, number);
  scores_backward(*this, number);
  queries_and_keys_backward(*this, number, commit_scale);
  if (recalls) recall_backward(*this, number);
  return {d.plain_q ? d.plain_q : d.q, d.plain_k ? d.plain_k : d.k};
}

template <class Real>
void LayerPass<Real>::attend_backward(Index number, Real commit_scale) const {
  const auto& c = config;
  const auto& at = offsets(number);
  const auto& l = layer(number);
  const auto& d = a.d;
  std::fill_n(d.context, tokens() * c.query_width(), Real{0});
  std::fill_n(d.normed, tokens() * c.d_model, Real{0});
  linear_backward({tokens(), c.query_width(), c.d_model}, l.context, parameters.at(at.o),
                  branch_gradient(*this, {number, DropoutPlace::Branch::attention}, d.residual), d.context,
                  d.parameters + at.o);
  if (stop.stop_requested()) return;
  const auto [dq, dk] = mix_backward(number, commit_scale);
  if (stop.stop_requested()) return;
  const LinearShape to_queries{tokens(), c.d_model, c.query_width()};
  const LinearShape to_keys{tokens(), c.d_model, c.key_width()};
  linear_backward(to_queries, l.input_normed, parameters.at(at.q), dq, d.normed, d.parameters + at.q);
  if (stop.stop_requested()) return;
  linear_backward(to_keys, l.input_normed, parameters.at(at.k), dk, d.normed, d.parameters + at.k);
  linear_backward(to_keys, l.input_normed, parameters.at(at.v), d.v, d.normed, d.parameters + at.v);
  if (c.qk_bias) {
    bias_backward(tokens(), c.query_width(), dq, d.parameters + at.q_bias);
    bias_backward(tokens(), c.key_width(), dk, d.parameters + at.k_bias);
  }
  const RmsNorm<Real> norm{tokens(), c.d_model, static_cast<Real>(c.eps)};
  norm.backward(l.input, parameters.at(at.input_norm), l.input_r, d.normed, d.residual, d.parameters + at.input_norm);
  if (!d.earlier_k) return;
  // A memory is a constant: gradients pass through it to the weights, but to no token of an earlier
  // segment.
  std::fill_n(d.earlier_normed, tokens() * c.d_model, Real{0});
  linear_backward(to_keys, l.input_normed, parameters.at(at.k), d.earlier_k, d.earlier_normed, d.parameters + at.k);
  if (c.qk_bias) bias_backward(tokens(), c.key_width(), d.earlier_k, d.parameters + at.k_bias);
  linear_backward(to_keys, l.input_normed, parameters.at(at.v), d.earlier_v, d.earlier_normed, d.parameters + at.v);
  norm.backward(l.input, parameters.at(at.input_norm), l.input_r, d.earlier_normed, static_cast<Real*>(nullptr),
                d.parameters + at.input_norm);
}

template bool LayerPass<float>::by_codes() const;
template bool LayerPass<double>::by_codes() const;
template AttentionShape LayerPass<float>::attention_shape() const;
template AttentionShape LayerPass<double>::attention_shape() const;
template void LayerPass<float>::mix(Index, LayerSums&) const;
template void LayerPass<double>::mix(Index, LayerSums&) const;
template std::pair<const float*, const float*> LayerPass<float>::mix_backward(Index, float) const;
template std::pair<const double*, const double*> LayerPass<double>::mix_backward(Index, double) const;
template void LayerPass<float>::attend(Index, LayerSums&) const;
template void LayerPass<double>::attend(Index, LayerSums&) const;
template void LayerPass<float>::attend_backward(Index, float) const;
template void LayerPass<double>::attend_backward(Index, double) const;

}  // namespace vqscope
