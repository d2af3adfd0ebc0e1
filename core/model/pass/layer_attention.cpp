// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer/linear.h"
#include "core/model/layer/rms_norm.h"
#include "core/model/pass/layer_pass.h"
#include "core/model/pass/query_key_pass.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// Which blocks' codewords and values the gradient of VQ attention reaches.
AttentionReach reach_of(const TransformerConfig& config) {
  if (!config.quantises()) return {};
  if (config.grad_mode == VqGradient::truncated) return {0, 0};
  return {config.grad_mode == VqGradient::dense_ste ? -1 : 1, -1};
}

/// One row's arrays.
template <class Real>
AttentionOperands<Real> input_of(const LayerPass<Real>& pass, Index number, Index row) {
  const auto& layer = pass.layer(number);
  const Index queries = row * pass.length * pass.config.query_width();
  const Index keys = row * pass.length * pass.config.key_width();
  return {.q = layer.q + queries,
          .k = (layer.quantised ? layer.quantised : layer.k) + keys,
          .v = layer.v + keys,
          .bias = pass.tables.bias(number),
          .bias_positions = pass.tables.bias_positions(pass.rows.begin + row),
          .far_q = pass.a.far_q ? pass.a.far_q + queries : nullptr,
          .far_k = pass.a.far_k ? pass.a.far_k + keys : nullptr,
          .distance_q = layer.distance_q ? layer.distance_q + queries : nullptr,
          .distance_k = pass.tables.distance_keys(number)};
}

}  // namespace

Index attention_block(const TransformerConfig& config, Index length) {
  return std::min<Index>(length, config.quantises() ? config.block_len : 64);
}

/// Queries and keys of VQ attention carry the scale themselves.
template <class Real>
AttentionShape LayerPass<Real>::attention_shape() const {
  return {.length = length,
          .heads = config.n_heads,
          .kv_heads = config.n_kv_heads,
          .head_dim = config.head_dim,
          .scale = config.quantises() ? 1 : 1 / std::sqrt(static_cast<double>(config.head_dim)),
          .block = attention_block(config, length),
          .far_from = config.rerope_window};
}

template <class Real>
void LayerPass<Real>::attend(Index number, double& commit) const {
  const auto& c = config;
  const auto& at = offsets(number);
  const auto& l = layer(number);
  RmsNorm<Real>{tokens(), c.d_model, static_cast<Real>(c.eps)}.forward(l.input, parameters.at(at.input_norm),
                                                                       l.input_normed, l.input_r);
  linear({tokens(), c.d_model, c.query_width()}, l.input_normed, parameters.at(at.q), projected_queries(l));
  linear({tokens(), c.d_model, c.key_width()}, l.input_normed, parameters.at(at.k), projected_keys(l));
  linear({tokens(), c.d_model, c.key_width()}, l.input_normed, parameters.at(at.v), l.v);
  commit += place_queries_and_keys(*this, number);
  const bool kept = keep == Keep::everything;
  for (Index row = 0; row < rows.size(); ++row)
    attention(attention_shape(), input_of(*this, number, row), tables.ranges(), rows.begin + row,
              AttentionWeights<Real>{l.weights + (kept ? row * c.n_heads * length * length : 0), kept},
              l.context + row * length * c.query_width(), a.scores);
  std::copy_n(l.input, tokens() * c.d_model, l.middle);
  linear({tokens(), c.query_width(), c.d_model}, l.context, parameters.at(at.o), l.middle, true);
}

namespace {

/// a.d.context becomes a.d.q, a.d.k and a.d.v.
template <class Real>
void scores_backward(const LayerPass<Real>& pass, Index number) {
  const auto& c = pass.config;
  const auto& d = pass.a.d;
  const auto& bias = pass.tables.distance_bias();
  const Index length = pass.length;
  std::fill_n(d.q, pass.tokens() * c.query_width(), Real{0});
  for (Real* keys : {d.k, d.v}) std::fill_n(keys, pass.tokens() * c.key_width(), Real{0});
  std::fill_n(d.bias, bias.size(), Real{0});
  if (d.distance_q) {
    std::fill_n(d.distance_q, pass.tokens() * c.query_width(), Real{0});
    std::fill_n(d.distance_k, length * c.query_width(), Real{0});
  }
  for (Index row = 0; row < pass.rows.size(); ++row) {
    const Index queries = row * length * c.query_width();
    const Index keys = row * length * c.key_width();
    attention_backward(pass.attention_shape(), input_of(pass, number, row), pass.tables.ranges(), pass.rows.begin + row,
                       pass.layer(number).weights + row * c.n_heads * length * length, d.context + queries, reach_of(c),
                       pass.a.scores,
                       AttentionGradient<Real>{.q = d.q + queries,
                                               .k = d.k + keys,
                                               .v = d.v + keys,
                                               .bias = bias.learnt() ? d.bias : nullptr,
                                               .distance_q = d.distance_q ? d.distance_q + queries : nullptr,
                                               .distance_k = d.distance_k,
                                               .by_distance = d.by_distance});
  }
  if (bias.learnt()) bias.backward(pass.parameters, number, d.bias, d.parameters, pass.stop);
}

}  // namespace

template <class Real>
void LayerPass<Real>::attend_backward(Index number, Real commit_scale) const {
  const auto& c = config;
  const auto& at = offsets(number);
  const auto& l = layer(number);
  const auto& d = a.d;
  std::fill_n(d.context, tokens() * c.query_width(), Real{0});
  std::fill_n(d.normed, tokens() * c.d_model, Real{0});
  linear_backward({tokens(), c.query_width(), c.d_model}, l.context, parameters.at(at.o), d.residual, d.context,
                  d.parameters + at.o);
  scores_backward(*this, number);
  queries_and_keys_backward(*this, number, commit_scale);
  const LinearShape to_queries{tokens(), c.d_model, c.query_width()};
  const LinearShape to_keys{tokens(), c.d_model, c.key_width()};
  linear_backward(to_queries, l.input_normed, parameters.at(at.q), d.plain_q ? d.plain_q : d.q, d.normed,
                  d.parameters + at.q);
  linear_backward(to_keys, l.input_normed, parameters.at(at.k), d.plain_k ? d.plain_k : d.k, d.normed,
                  d.parameters + at.k);
  linear_backward(to_keys, l.input_normed, parameters.at(at.v), d.v, d.normed, d.parameters + at.v);
  RmsNorm<Real>{tokens(), c.d_model, static_cast<Real>(c.eps)}.backward(
      l.input, parameters.at(at.input_norm), l.input_r, d.normed, d.residual, d.parameters + at.input_norm);
}

template AttentionShape LayerPass<float>::attention_shape() const;
template AttentionShape LayerPass<double>::attention_shape() const;
template void LayerPass<float>::attend(Index, double&) const;
template void LayerPass<double>::attend(Index, double&) const;
template void LayerPass<float>::attend_backward(Index, float) const;
template void LayerPass<double>::attend_backward(Index, double) const;

}  // namespace vqscope
