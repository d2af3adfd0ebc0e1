// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/position/distance_bias.h"

#include "core/base/parallel.h"
#include "core/encoding/t5/t5_bucket.h"
#include "core/model/position/relative_bias.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vqscope {

template <class Real>
FireScale<Real> FireBias<Real>::scale_of(const Parameters<Real>& parameters, Index position) const {
  const FireOffsets& at = parameters.layout->fire;
  return {std::abs(*parameters.at(at.c)), std::abs(*parameters.at(at.multiplier)) * m_threshold,
          static_cast<Real>(position)};
}

template <class Real>
void FireBias<Real>::fill(const Parameters<Real>& parameters, const FireScale<Real>& scale, Index distances, Real* out,
                          Index stride) const {
  const FireOffsets& at = parameters.layout->fire;
  const Real* hidden = parameters.at(at.hidden);
  const Real* hidden_bias = parameters.at(at.hidden_bias);
  std::array<Real, fire_width> h{};
  for (Index n = 0; n < distances; ++n) {
    const Real x = scale.normalised(static_cast<Real>(std::min(n, m_most)));
    for (std::size_t k = 0; k < h.size(); ++k) h[k] = std::max(Real{0}, hidden[k] * x + hidden_bias[k]);
    for (Index head = 0; head < m_heads; ++head) {
      const Real* w = parameters.at(at.output) + head * fire_width;
      Real sum = *parameters.at(at.output_bias + head);
      for (std::size_t k = 0; k < h.size(); ++k) sum += w[k] * h[k];
      out[head * stride + n] = sum;
    }
  }
}

template <class Real>
void FireBias<Real>::row(const Parameters<Real>& parameters, Index position, Real* out, Index stride) const {
  fill(parameters, scale_of(parameters, position), std::min(position + 1, m_distances), out, stride);
}

template <class Real>
void FireBias<Real>::forward(const Parameters<Real>& parameters, Real* out, int threads,
                             const std::stop_token& stop) const {
  const Index table = m_length * m_distances;
  fill(parameters, scale_of(parameters, m_first), m_distances, out, table);
  parallel_for(m_length - 1, threads, [&](Index i) {
    if (stop.stop_requested()) return;
    const FireScale<Real> scale = scale_of(parameters, m_first + i + 1);
    Real* row = out + (i + 1) * m_distances;
    if (!scale.constant) return fill(parameters, scale, m_distances, row, table);
    for (Index head = 0; head < m_heads; ++head) std::copy_n(out + head * table, m_distances, row + head * table);
  });
}

/// `dout` [heads, distances]. With a = ψ(n) and m = ψ(reach) + 1e-6: dx = da / m - a dm / m².
template <class Real>
void FireBias<Real>::fill_backward(const Parameters<Real>& parameters, const FireScale<Real>& scale, const Real* dout,
                                   Real* gradient) const {
  const FireOffsets& at = parameters.layout->fire;
  const Real* hidden = parameters.at(at.hidden);
  const Real* hidden_bias = parameters.at(at.hidden_bias);
  Real dc = 0, dreach = 0;
  for (Index n = 0; n < m_distances; ++n) {
    const auto distance = static_cast<Real>(std::min(n, m_most));
    const Real x = scale.normalised(distance);
    Real dx = 0;
    for (Index k = 0; k < fire_width; ++k) {
      const Real h = hidden[k] * x + hidden_bias[k];
      if (!(h > 0)) continue;
      Real dh = 0;
      for (Index head = 0; head < m_heads; ++head) {
        const Real d = dout[head * m_distances + n];
        gradient[at.output + head * fire_width + k] += d * h;
        dh += d * *parameters.at(at.output + head * fire_width + k);
      }
      gradient[at.hidden + k] += dh * x;
      gradient[at.hidden_bias + k] += dh;
      dx += dh * hidden[k];
    }
    for (Index head = 0; head < m_heads; ++head) gradient[at.output_bias + head] += dout[head * m_distances + n];
    const Real dnormaliser = -dx * x / scale.normaliser;
    const Real slope = 1 / (1 + scale.c * scale.reach);
    dc += dx / scale.normaliser * distance / (1 + scale.c * distance) + dnormaliser * scale.reach * slope;
    dreach += dnormaliser * scale.c * slope;
  }
  gradient[at.c] += *parameters.at(at.c) < 0 ? -dc : dc;
  if (scale.constant) gradient[at.multiplier] += (*parameters.at(at.multiplier) < 0 ? -dreach : dreach) * m_threshold;
}

/// Positions with the same row are summed before they pass through the network.
template <class Real>
void FireBias<Real>::backward(const Parameters<Real>& parameters, const Real* dout, Real* gradient,
                              const std::stop_token& stop) const {
  std::vector<Real> sum(static_cast<std::size_t>(m_heads * m_distances));
  for (Index position = 0; position < m_length && !stop.stop_requested(); ++position) {
    const FireScale<Real> scale = scale_of(parameters, m_first + position);
    for (Index head = 0; head < m_heads; ++head)
      for (Index n = 0; n < m_distances; ++n)
        sum[static_cast<std::size_t>(head * m_distances + n)] += dout[(head * m_length + position) * m_distances + n];
    const bool more = position + 1 < m_length && scale_of(parameters, m_first + position + 1).constant;
    if (more) continue;
    fill_backward(parameters, scale, sum.data(), gradient);
    std::ranges::fill(sum, Real{0});
  }
}

template class FireBias<float>;
template class FireBias<double>;

template <class Real>
DistanceBias<Real>::DistanceBias(const TransformerConfig& config, Index length, Index kept, Index first)
    : m_config(config),
      m_heads(config.n_heads),
      m_distances(table_distances(config, length, kept)),
      m_length(length),
      m_fire(config, length, kept, first) {
  const PositionKind kind = config.score_bias();
  if (kind == PositionKind::relative_bias) {
    m_kind = learnt_parameters(config).empty() ? Kind::fixed : Kind::learnt;
    auto row = row_of_distances();
    for (Index head = 0; head < m_heads && m_kind == Kind::fixed; ++head) {
      relative_bias(config, head, {}, row);
      end_distances(row);
      for (const double value : row) m_fixed.push_back(static_cast<Real>(value));
    }
  } else if (kind == PositionKind::t5_bias) {
    m_kind = Kind::t5;
    const T5Buckets buckets{config.t5_buckets, config.t5_max_distance, false, T5Arithmetic::exact};
    const Index most = config.quantises() ? config.block_len : m_distances;
    for (Index n = 0; n < m_distances; ++n)
      m_buckets.push_back(static_cast<std::int32_t>(buckets.distance_bucket(std::min(n, most))));
  } else if (kind == PositionKind::fire) {
    m_kind = Kind::fire;
  } else if (kind == PositionKind::vq) {
    m_kind = Kind::vq;
    m_own = config.block_len + 1;
  }
}

template <class Real>
std::vector<double> DistanceBias<Real>::row_of_distances() const {
  return std::vector<double>(static_cast<std::size_t>(m_distances));
}

template <class Real>
void DistanceBias<Real>::end_distances(std::vector<double>& row) const {
  const auto most = static_cast<std::size_t>(m_config.block_len);
  for (std::size_t n = most; m_config.quantises() && n < row.size(); ++n) row[n] = row[most];
}

template <class Real>
void DistanceBias<Real>::forward(const Parameters<Real>& parameters, Index layer, Real* out, int threads,
                                 const std::stop_token& stop) const {
  const auto& layout = *parameters.layout;
  const LayerOffsets& at = layout.layers[static_cast<std::size_t>(layer)];
  if (m_kind == Kind::fire) return m_fire.forward(parameters, out, threads, stop);
  if (m_kind == Kind::learnt) return forward_learnt(parameters, at.learnt_bias, out);
  if (m_kind == Kind::fixed) std::ranges::copy(m_fixed, out);
  for (Index head = 0; head < m_heads && learnt(); ++head, out += m_distances)
    for (Index n = 0; n < m_distances; ++n) {
      if (m_kind == Kind::t5)
        out[n] = parameters.at(layout.t5_bias)[m_buckets[static_cast<std::size_t>(n)] * m_heads + head];
      else
        out[n] = n < m_own ? parameters.at(at.vq_bias)[head * m_own + n] : Real{0};
    }
}

template <class Real>
void DistanceBias<Real>::backward(const Parameters<Real>& parameters, Index layer, const Real* dout, Real* gradient,
                                  const std::stop_token& stop) const {
  const auto& layout = *parameters.layout;
  const LayerOffsets& at = layout.layers[static_cast<std::size_t>(layer)];
  if (m_kind == Kind::fire) return m_fire.backward(parameters, dout, gradient, stop);
  if (m_kind == Kind::learnt) return backward_learnt(parameters, at.learnt_bias, dout, gradient);
  for (Index head = 0; head < m_heads; ++head, dout += m_distances)
    for (Index n = 0; n < m_distances; ++n) {
      if (m_kind == Kind::t5)
        gradient[layout.t5_bias + m_buckets[static_cast<std::size_t>(n)] * m_heads + head] += dout[n];
      else if (m_kind == Kind::vq && n < m_own)
        gradient[at.vq_bias + head * m_own + n] += dout[n];
    }
}

template <class Real>
std::vector<double> DistanceBias<Real>::learnt_of(const Parameters<Real>& parameters, Index offset, Index head) const {
  std::vector<double> learnt(learnt_parameters(m_config).size());
  for (std::size_t i = 0; i < learnt.size(); ++i)
    learnt[i] = static_cast<double>(*parameters.at(offset + static_cast<Index>(i) * m_heads + head));
  return learnt;
}

template <class Real>
void DistanceBias<Real>::forward_learnt(const Parameters<Real>& parameters, Index offset, Real* out) const {
  auto row = row_of_distances();
  for (Index head = 0; head < m_heads; ++head) {
    relative_bias(m_config, head, learnt_of(parameters, offset, head), row);
    end_distances(row);
    for (const double value : row) *out++ = static_cast<Real>(value);
  }
}

template <class Real>
void DistanceBias<Real>::backward_learnt(const Parameters<Real>& parameters, Index offset, const Real* dout,
                                         Real* gradient) const {
  auto slope = row_of_distances();
  for (Index head = 0; head < m_heads; ++head, dout += m_distances) {
    const std::vector<double> learnt = learnt_of(parameters, offset, head);
    for (std::size_t i = 0; i < learnt.size(); ++i) {
      relative_bias_slope(m_config, head, learnt, i, slope);
      end_distances(slope);
      double sum = 0;
      for (std::size_t n = 0; n < slope.size(); ++n) sum += static_cast<double>(dout[n]) * slope[n];
      gradient[offset + static_cast<Index>(i) * m_heads + head] += static_cast<Real>(sum);
    }
  }
}

template class DistanceBias<float>;
template class DistanceBias<double>;

}  // namespace vqscope
