// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/position/fire_bias.h"

#include "core/base/parallel.h"

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
    const Real x = scale.normalised(static_cast<Real>(n));
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
  fill(parameters, scale_of(parameters, position), position + 1, out, stride);
}

template <class Real>
void FireBias<Real>::forward(const Parameters<Real>& parameters, Real* out, int threads,
                             const std::stop_token& stop) const {
  const Index table = m_length * m_length;
  fill(parameters, scale_of(parameters, 0), m_length, out, table);
  parallel_for(m_length - 1, threads, [&](Index i) {
    if (stop.stop_requested()) return;
    const FireScale<Real> scale = scale_of(parameters, i + 1);
    Real* row = out + (i + 1) * m_length;
    if (!scale.constant) return fill(parameters, scale, m_length, row, table);
    for (Index head = 0; head < m_heads; ++head) std::copy_n(out + head * table, m_length, row + head * table);
  });
}

/// `dout` [heads, length]. With a = ψ(n) and m = ψ(reach) + 1e-6: dx = da / m - a dm / m².
template <class Real>
void FireBias<Real>::fill_backward(const Parameters<Real>& parameters, const FireScale<Real>& scale, const Real* dout,
                                   Real* gradient) const {
  const FireOffsets& at = parameters.layout->fire;
  const Real* hidden = parameters.at(at.hidden);
  const Real* hidden_bias = parameters.at(at.hidden_bias);
  Real dc = 0, dreach = 0;
  for (Index n = 0; n < m_length; ++n) {
    const auto distance = static_cast<Real>(n);
    const Real x = scale.normalised(distance);
    Real dx = 0;
    for (Index k = 0; k < fire_width; ++k) {
      const Real h = hidden[k] * x + hidden_bias[k];
      if (!(h > 0)) continue;
      Real dh = 0;
      for (Index head = 0; head < m_heads; ++head) {
        const Real d = dout[head * m_length + n];
        gradient[at.output + head * fire_width + k] += d * h;
        dh += d * *parameters.at(at.output + head * fire_width + k);
      }
      gradient[at.hidden + k] += dh * x;
      gradient[at.hidden_bias + k] += dh;
      dx += dh * hidden[k];
    }
    for (Index head = 0; head < m_heads; ++head) gradient[at.output_bias + head] += dout[head * m_length + n];
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
  std::vector<Real> sum(static_cast<std::size_t>(m_heads * m_length));
  for (Index position = 0; position < m_length && !stop.stop_requested(); ++position) {
    const FireScale<Real> scale = scale_of(parameters, position);
    for (Index head = 0; head < m_heads; ++head)
      for (Index n = 0; n < m_length; ++n)
        sum[static_cast<std::size_t>(head * m_length + n)] += dout[(head * m_length + position) * m_length + n];
    const bool more = position + 1 < m_length && scale_of(parameters, position + 1).constant;
    if (more) continue;
    fill_backward(parameters, scale, sum.data(), gradient);
    std::ranges::fill(sum, Real{0});
  }
}

template class FireBias<float>;
template class FireBias<double>;

}  // namespace vqscope
