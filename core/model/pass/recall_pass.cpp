// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pass/recall_pass.h"

#include <cmath>

namespace vqscope {
namespace {

AttentionShape recall_attention(const TransformerConfig& config, Index length) {
  return {.length = length,
          .heads = config.n_heads,
          .kv_heads = config.n_kv_heads,
          .head_dim = config.head_dim,
          .scale = 1 / std::sqrt(static_cast<double>(config.head_dim)),
          .block = attention_block(config, length),
          .segment = config.segment};
}

}  // namespace

RetrievalShape retrieval_shape(const TransformerConfig& config, Index length) {
  return {recall_attention(config, length), config.memory, config.top_k};
}

CompressiveShape compressive_shape(const TransformerConfig& config, Index length) {
  return {recall_attention(config, length), config.attn == AttentionKind::infini_delta};
}

namespace {

/// One row's queries, keys and values.
template <class Real>
RetrievalOperands<Real> recalled_from(const LayerPass<Real>& pass, Index number, Index row) {
  const auto& layer = pass.layer(number);
  const Index token = row * pass.length;
  return {layer.plain_q + token * pass.config.query_width(), layer.plain_k + token * pass.config.key_width(),
          layer.v + token * pass.config.value_width()};
}

template <class Real>
Retrieved<Real> retrieved_of(const LayerPass<Real>& pass, Index number, Index row) {
  const auto& layer = pass.layer(number);
  const Index at = row * pass.config.n_heads * pass.length * pass.config.top_k;
  return {layer.retrieved + at, layer.retrieved_weights + at};
}

template <class Real>
Real* states_of(const LayerPass<Real>& pass, Index number, Index row) {
  return pass.layer(number).states + row * compressive_shape(pass.config, pass.length).all_states();
}

/// Calls body(offset of a head's context, index of its gate) wherever there is a gate.
template <class Real, class Body>
void for_each_gate(const LayerPass<Real>& pass, const Body& body) {
  const auto& c = pass.config;
  const bool first_too = c.compresses();
  for (Index token = 0; token < pass.tokens(); ++token) {
    if (!first_too && token % pass.length < c.segment) continue;
    for (Index head = 0; head < c.n_heads; ++head) body((token * c.n_heads + head) * c.value_dim(), head);
  }
}

/// The weight g of the recalled context, by head.
template <class Real>
std::vector<Real> gates_of(const LayerPass<Real>& pass, Index number) {
  std::vector<Real> gates;
  const Real* raw = pass.parameters.at(pass.offsets(number).memory_gate);
  for (Index head = 0; head < pass.config.n_heads; ++head) gates.push_back(1 / (1 + std::exp(-raw[head])));
  return gates;
}

}  // namespace

template <class Real>
void recall(const LayerPass<Real>& pass, Index number) {
  const auto& c = pass.config;
  const auto& l = pass.layer(number);
  for (Index row = 0; row < pass.rows.size(); ++row) {
    const auto in = recalled_from(pass, number, row);
    Real* recalled = l.recalled + row * pass.length * c.context_width();
    if (c.compresses())
      recall_compressed(compressive_shape(c, pass.length), in, states_of(pass, number, row), recalled);
    else
      retrieve(retrieval_shape(c, pass.length), in, retrieved_of(pass, number, row), recalled, pass.a.stored_scores);
  }
  std::copy_n(l.near_context, pass.tokens() * c.context_width(), l.context);
  const auto gates = gates_of(pass, number);
  for_each_gate(pass, [&](Index at, Index head) {
    const Real gate = gates[static_cast<std::size_t>(head)];
    for (Index i = at; i < at + c.value_dim(); ++i) l.context[i] += gate * (l.recalled[i] - l.near_context[i]);
  });
}

template <class Real>
void recall_gate_backward(const LayerPass<Real>& pass, Index number) {
  const auto& c = pass.config;
  const auto& l = pass.layer(number);
  const auto& d = pass.a.d;
  const auto gates = gates_of(pass, number);
  Real* dgates = d.parameters + pass.offsets(number).memory_gate;
  std::fill_n(d.recalled, pass.tokens() * c.context_width(), Real{0});
  for_each_gate(pass, [&](Index at, Index head) {
    const Real gate = gates[static_cast<std::size_t>(head)];
    Real dgate = 0;
    for (Index i = at; i < at + c.value_dim(); ++i) {
      dgate += d.context[i] * (l.recalled[i] - l.near_context[i]);
      d.recalled[i] = gate * d.context[i];
      d.context[i] *= 1 - gate;
    }
    dgates[head] += dgate * gate * (1 - gate);
  });
}

template <class Real>
void recall_backward(const LayerPass<Real>& pass, Index number) {
  const auto& c = pass.config;
  const auto& d = pass.a.d;
  for (Index row = 0; row < pass.rows.size(); ++row) {
    const auto in = recalled_from(pass, number, row);
    const Index token = row * pass.length;
    const Real* drecalled = d.recalled + token * c.context_width();
    Real* dq = d.q + token * c.query_width();
    if (c.compresses())
      recall_compressed_backward(compressive_shape(c, pass.length), in, states_of(pass, number, row),
                                 pass.layer(number).recalled + token * c.context_width(), drecalled,
                                 {dq, d.k + token * c.key_width(), d.v + token * c.value_width()});
    else
      retrieve_backward(retrieval_shape(c, pass.length), in, retrieved_of(pass, number, row), drecalled, dq);
  }
}

template void recall(const LayerPass<float>&, Index);
template void recall(const LayerPass<double>&, Index);
template void recall_gate_backward(const LayerPass<float>&, Index);
template void recall_gate_backward(const LayerPass<double>&, Index);
template void recall_backward(const LayerPass<float>&, Index);
template void recall_backward(const LayerPass<double>&, Index);

}  // namespace vqscope
