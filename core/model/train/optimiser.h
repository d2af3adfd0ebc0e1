// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/tensors/parameters.h"

namespace vqscope {

/// Clipping of the gradient in a step.
struct GradientClip {
  double norm = 0;
  double coefficient = 1;
};

/// An update rule for parameters, with averages that it keeps from step to step.
template <class Real>
class Optimiser {
 public:
  virtual ~Optimiser() = default;

  /// Takes the next step; the first is t = 1. Clips the gradient to the maximum norm without
  /// changing `gradient`. A gradient that is not finite changes nothing; the returned norm shows
  /// it.
  GradientClip step(Parameters<Real>& parameters, const Parameters<Real>& gradient, double learning_rate);

  Index steps() const { return m_steps; }

  /// Layout of the averages, named optimizer.KIND.TENSOR, and their numbers in its order.
  const std::shared_ptr<const ParameterLayout>& state_layout() const { return m_state_layout; }
  const std::vector<Real>& state() const { return m_state; }
  /// Resumes after `steps` steps from averages of that layout.
  void resume(Index steps, std::vector<Real> state);

 protected:
  /// `clip` is the maximum norm of the whole gradient.
  Optimiser(std::shared_ptr<const ParameterLayout> layout, std::shared_ptr<const ParameterLayout> state_layout,
            double clip);

  /// Applies step t to the learnt parameters with the gradient times `coefficient`.
  virtual void update(Parameters<Real>& parameters, const Parameters<Real>& gradient, double coefficient,
                      double learning_rate, Index t) = 0;

  const ParameterLayout& layout() const { return *m_layout; }
  Real* averages() { return m_state.data(); }

 private:
  std::shared_ptr<const ParameterLayout> m_layout;
  std::shared_ptr<const ParameterLayout> m_state_layout;
  double m_clip;
  Index m_steps = 0;
  std::vector<Real> m_state;
};

/// Appends an average of a tensor to a layout of averages; returns its offset.
Index append_average(ParameterLayout& averages, const std::string& kind, const ParameterTensor& tensor,
                     std::vector<Index> shape);

}  // namespace vqscope
