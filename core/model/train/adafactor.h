// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/train/optimiser.h"

namespace vqscope {

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
