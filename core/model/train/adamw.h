// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/train/optimiser.h"

namespace vqscope {

struct AdamWOptions {
  double beta1 = 0.9;
  double beta2 = 0.95;
  double eps = 1e-8;
  double weight_decay = 0.1;  ///< for tensors with 2 or more dimensions, embeddings and head too
  double clip = 1;            ///< maximum norm of the whole gradient, which is clipped to it
};

/// AdamW (Loshchilov and Hutter 2019): p *= 1 - lr · weight_decay, then p -= lr · m̂ / (√v̂ + eps). Its averages are
/// optimizer.mean.* of the gradient and optimizer.square.* of its square.
template <class Real>
class AdamW : public Optimiser<Real> {
 public:
  AdamW(const std::shared_ptr<const ParameterLayout>& layout, const AdamWOptions& options);

 private:
  void update(Parameters<Real>& parameters, const Parameters<Real>& gradient, double coefficient, double learning_rate,
              Index t) override;

  AdamWOptions m_options;
};

}  // namespace vqscope
