// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/train/optimiser.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

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

/// [mean of all tensors, square of all tensors], each in the layout's order.
std::shared_ptr<const ParameterLayout> adamw_averages(const ParameterLayout& layout) {
  ParameterLayout averages;
  for (const char* kind : {"mean", "square"})
    for (const ParameterTensor& tensor : layout.tensors)
      if (tensor.offset < layout.learnt) append_average(averages, kind, tensor, tensor.shape);
  return std::make_shared<const ParameterLayout>(std::move(averages));
}

bool is_factored(const ParameterTensor& tensor) { return tensor.shape.size() == 2; }

/// The averages, in the layout's order.
std::shared_ptr<const ParameterLayout> adafactor_averages(const ParameterLayout& layout) {
  ParameterLayout averages;
  for (const ParameterTensor& tensor : layout.tensors) {
    if (tensor.offset >= layout.learnt) break;
    if (is_factored(tensor)) {
      append_average(averages, "row", tensor, {tensor.shape[0]});
      append_average(averages, "column", tensor, {tensor.shape[1]});
    } else {
      append_average(averages, "square", tensor, tensor.shape);
    }
  }
  return std::make_shared<const ParameterLayout>(std::move(averages));
}

template <class Number>
double root_mean_square(const Number* numbers, Index count) {
  double squares = 0;
  for (Index i = 0; i < count; ++i) squares += static_cast<double>(numbers[i]) * static_cast<double>(numbers[i]);
  return std::sqrt(squares / static_cast<double>(count));
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

double LearningRate::at(Index t) const {
  if (t <= warmup_steps) return lr_max * static_cast<double>(t) / static_cast<double>(warmup_steps);
  const Index rest = std::max<Index>(1, total_steps - warmup_steps);
  const double progress = static_cast<double>(std::min(t - warmup_steps, rest)) / static_cast<double>(rest);
  const double lowest = lr_max * lr_min_ratio;
  return lowest + (lr_max - lowest) / 2 * (1 + std::cos(std::numbers::pi * progress));
}

template <class Real>
AdamW<Real>::AdamW(const std::shared_ptr<const ParameterLayout>& layout, const AdamWOptions& options)
    : Optimiser<Real>(layout, adamw_averages(*layout), options.clip), m_options(options) {}

template <class Real>
void AdamW<Real>::update(Parameters<Real>& parameters, const Parameters<Real>& gradient, double coefficient,
                         double learning_rate, Index step) {
  const auto t = static_cast<double>(step);
  const auto shortened = static_cast<Real>(coefficient);
  const auto beta1 = static_cast<Real>(m_options.beta1), beta2 = static_cast<Real>(m_options.beta2);
  const auto mean_scale = static_cast<Real>(learning_rate / (1 - std::pow(m_options.beta1, t)));
  const auto square_scale = static_cast<Real>(1 / (1 - std::pow(m_options.beta2, t)));
  const auto eps = static_cast<Real>(m_options.eps);
  Real* means = this->averages();
  Real* squares = means + this->layout().learnt;
  for (const ParameterTensor& tensor : this->layout().tensors) {
    if (tensor.offset >= this->layout().learnt) break;
    const auto keep = static_cast<Real>(tensor.shape.size() >= 2 ? 1 - learning_rate * m_options.weight_decay : 1);
    for (Index i = tensor.offset; i < tensor.offset + tensor.count; ++i) {
      const Real g = shortened * *gradient.at(i);
      means[i] = beta1 * means[i] + (1 - beta1) * g;
      squares[i] = beta2 * squares[i] + (1 - beta2) * g * g;
      Real& p = *parameters.at(i);
      p = keep * p - mean_scale * means[i] / (std::sqrt(squares[i] * square_scale) + eps);
    }
  }
}

template class AdamW<float>;
template class AdamW<double>;

template <class Real>
Adafactor<Real>::Adafactor(const std::shared_ptr<const ParameterLayout>& layout, const AdafactorOptions& options)
    : Optimiser<Real>(layout, adafactor_averages(*layout), options.clip), m_options(options) {
  Index largest = 0;
  for (const ParameterTensor& tensor : layout->tensors) largest = std::max(largest, tensor.count);
  m_update.resize(static_cast<std::size_t>(largest));
}

template <class Real>
void Adafactor<Real>::factored_update(const ParameterTensor& tensor, const Real* gradient, Real* rows, Real* columns,
                                      double beta2) {
  const Index n = tensor.shape[0], m = tensor.shape[1];
  std::vector<double> of_columns(static_cast<std::size_t>(m));
  double mean_row = 0;
  for (Index i = 0; i < n; ++i) {
    double of_row = 0;
    for (Index j = 0; j < m; ++j) {
      const double g = m_update[static_cast<std::size_t>(i * m + j)] = static_cast<double>(gradient[i * m + j]);
      const double square = g * g + m_options.eps1;
      of_row += square;
      of_columns[static_cast<std::size_t>(j)] += square;
    }
    rows[i] = static_cast<Real>(beta2 * static_cast<double>(rows[i]) + (1 - beta2) * of_row / static_cast<double>(m));
    mean_row += static_cast<double>(rows[i]) / static_cast<double>(n);
  }
  for (Index j = 0; j < m; ++j)
    columns[j] = static_cast<Real>(beta2 * static_cast<double>(columns[j]) +
                                   (1 - beta2) * of_columns[static_cast<std::size_t>(j)] / static_cast<double>(n));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < m; ++j)
      m_update[static_cast<std::size_t>(i * m + j)] /=
          std::sqrt(static_cast<double>(rows[i]) / mean_row * static_cast<double>(columns[j]));
}

template <class Real>
void Adafactor<Real>::plain_update(const ParameterTensor& tensor, const Real* gradient, Real* squares, double beta2) {
  for (Index i = 0; i < tensor.count; ++i) {
    const auto g = static_cast<double>(gradient[i]);
    squares[i] = static_cast<Real>(beta2 * static_cast<double>(squares[i]) + (1 - beta2) * (g * g + m_options.eps1));
    m_update[static_cast<std::size_t>(i)] = g / std::sqrt(static_cast<double>(squares[i]));
  }
}

template <class Real>
void Adafactor<Real>::update(Parameters<Real>& parameters, const Parameters<Real>& gradient, double coefficient,
                             double learning_rate, Index t) {
  const double beta2 = 1 - std::pow(static_cast<double>(t), -m_options.decay_power);
  Real* averages = this->averages();
  std::vector<Real> shortened;
  for (const ParameterTensor& tensor : this->layout().tensors) {
    if (tensor.offset >= this->layout().learnt) break;
    shortened.assign(gradient.at(tensor.offset), gradient.at(tensor.offset) + tensor.count);
    for (Real& g : shortened) g *= static_cast<Real>(coefficient);
    if (is_factored(tensor)) {
      factored_update(tensor, shortened.data(), averages, averages + tensor.shape[0], beta2);
      averages += tensor.shape[0] + tensor.shape[1];
    } else {
      plain_update(tensor, shortened.data(), averages, beta2);
      averages += tensor.count;
    }
    Real* p = parameters.at(tensor.offset);
    const double rate = learning_rate * std::max(m_options.eps2, root_mean_square(p, tensor.count)) /
                        std::max(1.0, root_mean_square(m_update.data(), tensor.count) / m_options.threshold);
    const double keep = is_factored(tensor) ? 1 - learning_rate * m_options.weight_decay : 1;
    for (Index i = 0; i < tensor.count; ++i)
      p[i] = static_cast<Real>(keep * static_cast<double>(p[i]) - rate * m_update[static_cast<std::size_t>(i)]);
  }
}

template class Adafactor<float>;
template class Adafactor<double>;

}  // namespace vqscope
