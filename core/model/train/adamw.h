// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/tensors/parameters.h"

namespace vqscope {

struct AdamWOptions {
  double beta1 = 0.9;
  double beta2 = 0.95;
  double eps = 1e-8;
  double weight_decay = 0.1;  ///< of tensors with two dimensions or more, embeddings and head among them
  double clip = 1;            ///< largest norm of the whole gradient; longer ones are shortened to it
};

/// What a step did to the gradient.
struct GradientClip {
  double norm = 0;
  double coefficient = 1;
};

/// AdamW (Loshchilov and Hutter 2019): p *= 1 - lr · weight_decay, then p -= lr · m̂ / (√v̂ + eps).
template <class Real>
class AdamW {
 public:
  AdamW(std::shared_ptr<const ParameterLayout> layout, const AdamWOptions& options);

  /// The next step, t = 1 first. `gradient` is not changed. A gradient that is not finite changes nothing, and its norm
  /// says so.
  GradientClip step(Parameters<Real>& parameters, const Parameters<Real>& gradient, double learning_rate);

  Index steps() const { return m_steps; }

  /// Moving averages of the gradient and of its square, [learnt], in the layout's order.
  const std::vector<Real>& mean() const { return m_mean; }
  const std::vector<Real>& square() const { return m_square; }
  /// Goes on from averages of those sizes after so many steps.
  void resume(Index steps, std::vector<Real> mean, std::vector<Real> square);

 private:
  std::shared_ptr<const ParameterLayout> m_layout;
  AdamWOptions m_options;
  Index m_steps = 0;
  std::vector<Real> m_mean;    ///< [learnt]
  std::vector<Real> m_square;  ///< [learnt]
};

}  // namespace vqscope
