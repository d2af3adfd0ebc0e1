// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/train/adamw.h"

#include <cmath>

namespace vqscope {
namespace {

/// [mean of all tensors, square of all tensors], each in the layout's order.
std::shared_ptr<const ParameterLayout> adamw_averages(const ParameterLayout& layout) {
  ParameterLayout averages;
  for (const char* kind : {"mean", "square"})
    for (const ParameterTensor& tensor : layout.tensors)
      if (tensor.offset < layout.learnt) append_average(averages, kind, tensor, tensor.shape);
  return std::make_shared<const ParameterLayout>(std::move(averages));
}

}  // namespace

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

}  // namespace vqscope
