// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/train/optimiser.h"

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
Optimiser<Real>::Optimiser(std::shared_ptr<const ParameterLayout> layout,
                           std::shared_ptr<const ParameterLayout> state_layout, double clip)
    : m_layout(std::move(layout)),
      m_state_layout(std::move(state_layout)),
      m_clip(clip),
      m_state(static_cast<std::size_t>(m_state_layout->count)) {}

template <class Real>
GradientClip Optimiser<Real>::step(Parameters<Real>& parameters, const Parameters<Real>& gradient,
                                   double learning_rate) {
  GradientClip clip{.norm = norm_of(gradient)};
  if (!std::isfinite(clip.norm)) return clip;
  clip.coefficient = std::min(1.0, m_clip / (clip.norm + 1e-6));
  update(parameters, gradient, clip.coefficient, learning_rate, ++m_steps);
  return clip;
}

template <class Real>
void Optimiser<Real>::resume(Index steps, std::vector<Real> state) {
  assert(state.size() == m_state.size());
  m_steps = steps;
  m_state = std::move(state);
}

Index append_average(ParameterLayout& averages, const std::string& kind, const ParameterTensor& tensor,
                     std::vector<Index> shape) {
  Index count = 1;
  for (const Index side : shape) count *= side;
  const Index offset = averages.count;
  averages.tensors.push_back({"optimizer." + kind + "." + tensor.name, std::move(shape), offset, count});
  averages.count = averages.learnt = offset + count;
  return offset;
}

template class Optimiser<float>;
template class Optimiser<double>;

}  // namespace vqscope
