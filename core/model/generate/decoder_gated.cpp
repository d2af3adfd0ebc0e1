// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/generate/decoder.h"
#include "core/model/layer/layers.h"

namespace vqscope {

/// attend_gated for the newest row only.
template <class Real>
void Decoder<Real>::attend_gated(Layer& layer, const LayerOffsets& at) {
  const auto& c = m_config;
  const LinearShape to_values{1, c.d_model, c.d_v};
  Real* key = layer.keys.data() + m_tokens * c.key_width();
  Real* value = layer.values.data() + m_tokens * c.d_v;
  Real r = 0;
  RmsNorm<Real>{1, c.d_model, static_cast<Real>(c.eps)}.forward(m_x.data(), m_parameters.at(at.input_norm),
                                                                m_normed.data(), &r);
  linear({1, c.d_model, c.query_width()}, m_normed.data(), m_parameters.at(at.q), m_q.data());
  linear({1, c.d_model, c.key_width()}, m_normed.data(), m_parameters.at(at.k), key);
  linear(to_values, m_normed.data(), m_parameters.at(at.v), m_up.data());
  linear(to_values, m_normed.data(), m_parameters.at(at.gate), m_gate.data());
  silu(c.d_v, m_up.data(), value);
  place(layer, at);
  attend_head(layer, 0);
  swiglu(c.d_v, m_gate.data(), m_context.data(), m_up.data());
  linear({1, c.d_v, c.d_model}, m_up.data(), m_parameters.at(at.o), m_x.data(), true);
}

template void Decoder<float>::attend_gated(Layer&, const LayerOffsets&);
template void Decoder<double>::attend_gated(Layer&, const LayerOffsets&);

}  // namespace vqscope
