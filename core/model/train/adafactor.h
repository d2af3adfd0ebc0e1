// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/train/optimiser.h"

namespace vqscope {

struct AdafactorOptions {
  double decay_power = 0.8;  ///< β2 of step t is 1 - t^(-decay_power)
  double eps1 = 1e-30;       ///< added to the squares of the gradient
  double eps2 = 1e-3;        ///< least size of a tensor that its steps are measured by
  double threshold = 1;      ///< largest root mean square of an update
  double weight_decay = 0;   ///< of tensors with two dimensions
  double clip = 1;           ///< largest norm of the whole gradient
};

/// Adafactor (Shazeer and Stern 2018, algorithms 4 and 5; no momentum): the squares of a matrix's gradient are kept as
/// averages of their rows and columns, r [n] and c [m],
///
///   v̂ = r cᵀ / mean(r)      u = g / √v̂      p -= lr · max(eps2, RMS(p)) · u / max(1, RMS(u) / threshold)
///
/// those of a vector as they are. So the learning rate is relative to each tensor's own size. Its averages are
/// optimizer.row.*, optimizer.column.* and optimizer.square.*.
template <class Real>
class Adafactor : public Optimiser<Real> {
 public:
  Adafactor(const std::shared_ptr<const ParameterLayout>& layout, const AdafactorOptions& options);

 private:
  void update(Parameters<Real>& parameters, const Parameters<Real>& gradient, double coefficient, double learning_rate,
              Index t) override;
  /// g / √v̂ into m_update.
  void factored_update(const ParameterTensor& tensor, const Real* gradient, Real* rows, Real* columns, double beta2);
  void plain_update(const ParameterTensor& tensor, const Real* gradient, Real* squares, double beta2);

  AdafactorOptions m_options;
  std::vector<double> m_update;  ///< [numbers of the largest tensor]
};

}  // namespace vqscope
