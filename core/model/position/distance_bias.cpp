// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/position/distance_bias.h"

#include "core/encoding/bias/bias_values.h"
#include "core/encoding/t5/t5_bucket.h"
#include "core/model/position/fixed_positions.h"

#include <algorithm>
#include <cmath>

namespace vqscope {

template <class Real>
DistanceBias<Real>::DistanceBias(const TransformerConfig& config, Index length)
    : m_heads(config.n_heads), m_length(length), m_fire(config, length) {
  const PositionKind kind = config.score_bias();
  if (kind == PositionKind::alibi || kind == PositionKind::sandwich) {
    m_kind = Kind::fixed;
    for (const double value : fixed_bias(config, length)) m_fixed.push_back(static_cast<Real>(value));
  } else if (kind == PositionKind::t5_bias) {
    m_kind = Kind::t5;
    const T5Buckets buckets{config.t5_buckets, config.t5_max_distance, false, T5Arithmetic::exact};
    for (Index n = 0; n < length; ++n) m_buckets.push_back(static_cast<std::int32_t>(buckets.distance_bucket(n)));
  } else if (kind == PositionKind::kerple_log) {
    m_kind = Kind::kerple;
  } else if (kind == PositionKind::fire) {
    m_kind = Kind::fire;
  } else if (kind == PositionKind::vq) {
    m_kind = Kind::vq;
    m_own = config.block_len + 1;
  }
}

template <class Real>
void DistanceBias<Real>::forward(const Parameters<Real>& parameters, Index layer, Real* out, int threads,
                                 const std::stop_token& stop) const {
  if (m_kind == Kind::fire) return m_fire.forward(parameters, out, threads, stop);
  const auto& layout = *parameters.layout;
  const LayerOffsets& at = layout.layers[static_cast<std::size_t>(layer)];
  if (m_kind == Kind::fixed) std::ranges::copy(m_fixed, out);
  for (Index head = 0; head < m_heads && learnt(); ++head, out += m_length)
    for (Index n = 0; n < m_length; ++n) {
      if (m_kind == Kind::t5)
        out[n] = parameters.at(layout.t5_bias)[m_buckets[static_cast<std::size_t>(n)] * m_heads + head];
      else if (m_kind == Kind::kerple)
        out[n] = static_cast<Real>(kerple_log(static_cast<double>(parameters.at(at.kerple_r1)[head]),
                                              static_cast<double>(parameters.at(at.kerple_r2)[head]),
                                              static_cast<double>(n)));
      else
        out[n] = n < m_own ? parameters.at(at.vq_bias)[head * m_own + n] : Real{0};
    }
}

/// KERPLE: b = -r1 ln(1 + r2 n), so db/dr1 = -ln(1 + r2 n) and db/dr2 = -r1 n / (1 + r2 n).
template <class Real>
void DistanceBias<Real>::backward(const Parameters<Real>& parameters, Index layer, const Real* dout, Real* gradient,
                                  const std::stop_token& stop) const {
  if (m_kind == Kind::fire) return m_fire.backward(parameters, dout, gradient, stop);
  const auto& layout = *parameters.layout;
  const LayerOffsets& at = layout.layers[static_cast<std::size_t>(layer)];
  for (Index head = 0; head < m_heads; ++head, dout += m_length)
    for (Index n = 0; n < m_length; ++n) {
      if (m_kind == Kind::t5) {
        gradient[layout.t5_bias + m_buckets[static_cast<std::size_t>(n)] * m_heads + head] += dout[n];
      } else if (m_kind == Kind::kerple) {
        const auto distance = static_cast<Real>(n);
        const Real r1 = parameters.at(at.kerple_r1)[head];
        const Real r2 = parameters.at(at.kerple_r2)[head];
        gradient[at.kerple_r1 + head] -= dout[n] * std::log1p(r2 * distance);
        gradient[at.kerple_r2 + head] -= dout[n] * r1 * distance / (1 + r2 * distance);
      } else if (m_kind == Kind::vq && n < m_own) {
        gradient[at.vq_bias + head * m_own + n] += dout[n];
      }
    }
}

template class DistanceBias<float>;
template class DistanceBias<double>;

}  // namespace vqscope
