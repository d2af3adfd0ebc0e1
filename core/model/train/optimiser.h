// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/model/tensors/parameter_layout.h"

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

/// Steps t = 1, 2, ...: linear warm-up to lr_max over warmup_steps, then a cosine down to lr_max ·
/// lr_min_ratio at total_steps, and constant from there.
struct LearningRate {
  double lr_max = 5e-3;
  double lr_min_ratio = 0.1;
  Index warmup_steps = 50;
  Index total_steps = 600;

  double at(Index t) const;
};

struct AdamWOptions {
  double beta1 = 0.9;
  double beta2 = 0.95;
  double eps = 1e-8;
  double weight_decay = 0.1;  ///< for tensors with 2 or more dimensions, embeddings and head too
  double clip = 1;            ///< maximum norm of the whole gradient, which is clipped to it
};

/// AdamW (Loshchilov and Hutter 2019): p *= 1 - lr · weight_decay, then p -= lr · m̂ / (√v̂ + eps).
/// Its averages are optimizer.mean.* of the gradient and optimizer.square.* of its square.
template <class Real>
class AdamW : public Optimiser<Real> {
 public:
  AdamW(const std::shared_ptr<const ParameterLayout>& layout, const AdamWOptions& options);

 private:
  void update(Parameters<Real>& parameters, const Parameters<Real>& gradient, double coefficient, double learning_rate,
              Index t) override;

  AdamWOptions m_options;
};

struct AdafactorOptions {
  double decay_power = 0.8;  ///< β2 of step t is 1 - t^(-decay_power)
  double eps1 = 1e-30;       ///< added to the squares of the gradient
  double eps2 = 1e-3;        ///< lower bound of RMS(p), to which steps are proportional
  double threshold = 1;      ///< largest root mean square of an update
  double weight_decay = 0;   ///< for tensors with two dimensions
  double clip = 1;           ///< maximum norm of the whole gradient
};

/// Adafactor (Shazeer and Stern 2018, algorithms 4 and 5; no momentum). For a matrix it keeps
/// moving averages of the squared gradient by row and by column, r [n] and c [m],
///
///   v̂ = r cᵀ / mean(r)      u = g / √v̂      p -= lr · max(eps2, RMS(p)) · u / max(1, RMS(u) / threshold)
///
/// and for a vector those of every element. The learning rate is relative to the size of each
/// tensor. The averages are optimizer.row.*, optimizer.column.* and optimizer.square.*.
template <class Real>
class Adafactor : public Optimiser<Real> {
 public:
  Adafactor(const std::shared_ptr<const ParameterLayout>& layout, const AdafactorOptions& options);

 private:
  void update(Parameters<Real>& parameters, const Parameters<Real>& gradient, double coefficient, double learning_rate,
              Index t) override;
  /// Writes g / √v̂ to m_update.
  void factored_update(const ParameterTensor& tensor, const Real* gradient, Real* rows, Real* columns, double beta2);
  void plain_update(const ParameterTensor& tensor, const Real* gradient, Real* squares, double beta2);

  AdafactorOptions m_options;
  std::vector<double> m_update;  ///< [numbers of the largest tensor]
};

}  // namespace vqscope
