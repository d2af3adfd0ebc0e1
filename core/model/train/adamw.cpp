// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/train/adamw.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vqscope {
namespace {

template <class Real>
double norm_of(const Parameters<Real>& gradient) {
  double squares = 0;
  for (Index i = 0; i < gradient.layout->learnt; ++i) {
    const auto value = static_cast<double>(*gradient.at(i));
    squares += value * value;
  }
  return std::sqrt(squares);
}

}  // namespace

template <class Real>
AdamW<Real>::AdamW(std::shared_ptr<const ParameterLayout> layout, const AdamWOptions& options)
    : m_layout(std::move(layout)),
      m_options(options),
      m_mean(static_cast<std::size_t>(m_layout->learnt)),
      m_square(m_mean.size()) {}

template <class Real>
GradientClip AdamW<Real>::step(Parameters<Real>& parameters, const Parameters<Real>& gradient, double learning_rate) {
  GradientClip clip{.norm = norm_of(gradient)};
  if (!std::isfinite(clip.norm)) return clip;
  clip.coefficient = std::min(1.0, m_options.clip / (clip.norm + 1e-6));
  const auto t = static_cast<double>(++m_steps);
  const auto coefficient = static_cast<Real>(clip.coefficient);
  const auto beta1 = static_cast<Real>(m_options.beta1), beta2 = static_cast<Real>(m_options.beta2);
  const auto mean_scale = static_cast<Real>(learning_rate / (1 - std::pow(m_options.beta1, t)));
  const auto square_scale = static_cast<Real>(1 / (1 - std::pow(m_options.beta2, t)));
  const auto eps = static_cast<Real>(m_options.eps);
  for (const ParameterTensor& tensor : m_layout->tensors) {
    if (tensor.offset >= m_layout->learnt) break;
    const auto keep = static_cast<Real>(tensor.shape.size() >= 2 ? 1 - learning_rate * m_options.weight_decay : 1);
    for (auto i = static_cast<std::size_t>(tensor.offset); i < static_cast<std::size_t>(tensor.offset + tensor.count);
         ++i) {
      const Real g = coefficient * gradient.values[i];
      m_mean[i] = beta1 * m_mean[i] + (1 - beta1) * g;
      m_square[i] = beta2 * m_square[i] + (1 - beta2) * g * g;
      Real& p = parameters.values[i];
      p = keep * p - mean_scale * m_mean[i] / (std::sqrt(m_square[i] * square_scale) + eps);
    }
  }
  return clip;
}

template <class Real>
void AdamW<Real>::resume(Index steps, std::vector<Real> mean, std::vector<Real> square) {
  assert(mean.size() == m_mean.size() && square.size() == m_square.size());
  m_steps = steps;
  m_mean = std::move(mean);
  m_square = std::move(square);
}

template class AdamW<float>;
template class AdamW<double>;

}  // namespace vqscope
