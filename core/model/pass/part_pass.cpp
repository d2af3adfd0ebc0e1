// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer/layers.h"
#include "core/model/pass/layer_pass.h"
#include "core/model/pass/transformer_pass.h"

#include <algorithm>

namespace vqscope {

template <class Real>
LayerPass<Real> TransformerPass<Real>::layers_of(const Parameters<Real>& parameters, const Batch& batch,
                                                 Part& part) const {
  return {m_config,  parameters, *m_tables, part.rows, m_length,
          m_keep,    part.a,     m_stop,    m_noise,   batch.rows_of(batch.labels, part.rows),
          m_carried, m_state};
}

namespace {

/// Writes token embeddings plus absolute position embeddings to the first layer's input.
template <class Real>
void embed(const LayerPass<Real>& pass, const Batch& batch) {
  const auto& c = pass.config;
  const auto& layout = *pass.parameters.layout;
  Real* x = pass.a.layers.front().input;
  std::fill_n(x, pass.tokens() * c.d_model, Real{0});
  add_embedding(batch.rows_of(batch.tokens, pass.rows), c.d_model, static_cast<Real>(c.embed_scale),
                pass.parameters.at(layout.embedding), x);
  for (Index row = pass.rows.begin; row < pass.rows.end; ++row, x += pass.length * c.d_model) {
    if (const Real* encodings = pass.tables.sinusoids(row))
      for (Index i = 0; i < pass.length * c.d_model; ++i) x[i] += encodings[i];
    if (const Real* table = pass.parameters.at_if(layout.positions))
      add_embedding(pass.tables.positions(row), c.d_model, Real{1}, table, x);
  }
}

template <class Real>
void embed_backward(const LayerPass<Real>& pass, const Batch& batch) {
  const auto& c = pass.config;
  const auto& layout = *pass.parameters.layout;
  const auto& d = pass.a.d;
  embedding_backward(batch.rows_of(batch.tokens, pass.rows), c.d_model, static_cast<Real>(c.embed_scale), d.residual,
                     d.parameters + layout.embedding);
  if (layout.positions < 0) return;
  for (Index row = 0; row < pass.rows.size(); ++row)
    embedding_backward(pass.tables.positions(pass.rows.begin + row), c.d_model, Real{1},
                       d.residual + row * pass.length * c.d_model, d.parameters + layout.positions);
}

}  // namespace

template <class Real>
void TransformerPass<Real>::forward(const Parameters<Real>& parameters, const Batch& batch, Part& part) const {
  const auto& c = m_config;
  const auto& a = part.a;
  const LayerPass<Real> pass = layers_of(parameters, batch, part);
  const Index layers = c.attention_layers();
  part.sums.assign(static_cast<std::size_t>(layers), {});
  embed(pass, batch);
  drop_embeddings(pass, a.layers.front().input);
  for (Index layer = 0; layer < layers; ++layer) {
    if (m_stop.stop_requested()) return;
    LayerSums& sums = part.sums[static_cast<std::size_t>(layer)];
    Real* output = layer + 1 < layers ? pass.layer(layer + 1).input : a.output;
    if (pass.leaves_out(layer)) {
      std::copy_n(pass.layer(layer).input, pass.tokens() * c.d_model, output);
      continue;
    }
    if (c.gated()) {
      attend_gated(pass, layer, output, sums);
      continue;
    }
    pass.attend(layer, sums);
    pass.transform(layer, output);
  }
  RmsNorm<Real>{pass.tokens(), c.d_model, static_cast<Real>(c.eps)}.forward(a.output, parameters.at(m_layout->norm),
                                                                            a.output_normed, a.output_r);
  linear({pass.tokens(), c.d_model, c.vocab}, a.output_normed, parameters.at(m_layout->head), a.logits);
  part.ce = cross_entropy(batch.rows_of(batch.labels, part.rows), c.vocab, a.logits);
}

template <class Real>
void TransformerPass<Real>::backward(const Parameters<Real>& parameters, const Batch& batch, const Scales& scales,
                                     Part& part) const {
  const auto& c = m_config;
  const auto& a = part.a;
  const auto& d = a.d;
  const LayerPass<Real> pass = layers_of(parameters, batch, part);
  std::fill_n(d.parameters, m_layout->learnt, Real{0});
  std::fill_n(d.logits, pass.tokens() * c.vocab, Real{0});
  for (Real* zeroed : {d.residual, d.normed}) std::fill_n(zeroed, pass.tokens() * c.d_model, Real{0});
  cross_entropy_backward(batch.rows_of(batch.labels, part.rows), c.vocab, a.logits, scales.ce, d.logits);
  linear_backward({pass.tokens(), c.d_model, c.vocab}, a.output_normed, parameters.at(m_layout->head), d.logits,
                  d.normed, d.parameters + m_layout->head);
  RmsNorm<Real>{pass.tokens(), c.d_model, static_cast<Real>(c.eps)}.backward(
      a.output, parameters.at(m_layout->norm), a.output_r, d.normed, d.residual, d.parameters + m_layout->norm);
  for (Index layer = c.attention_layers(); layer-- > 0;) {
    if (m_stop.stop_requested()) return;
    if (pass.leaves_out(layer)) continue;
    if (c.gated()) {
      attend_gated_backward(pass, layer, scales.commit);
      continue;
    }
    pass.transform_backward(layer);
    pass.attend_backward(layer, scales.commit);
  }
  drop_embeddings(pass, a.d.residual);
  embed_backward(pass, batch);
}

template LayerPass<float> TransformerPass<float>::layers_of(const Parameters<float>&, const Batch&, Part&) const;
template LayerPass<double> TransformerPass<double>::layers_of(const Parameters<double>&, const Batch&, Part&) const;
template void TransformerPass<float>::forward(const Parameters<float>&, const Batch&, Part&) const;
template void TransformerPass<double>::forward(const Parameters<double>&, const Batch&, Part&) const;
template void TransformerPass<float>::backward(const Parameters<float>&, const Batch&, const Scales&, Part&) const;
template void TransformerPass<double>::backward(const Parameters<double>&, const Batch&, const Scales&, Part&) const;

}  // namespace vqscope
