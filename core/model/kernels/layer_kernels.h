// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <vector>

namespace vqscope {

/// Rows of RMSNorm, as RmsNorm in core/model/layer.
template <class Real>
struct NormShape {
  Index rows = 0;
  Index width = 0;
  Real eps = 0;
  Real gain = 1;
};

/// Numbers that fill a cache line.
template <class Real>
inline constexpr Index lane_count = 64 / sizeof(Real);

template <class Real>
struct NearestColumn {
  Index index = 0;
  Real squared_distance = 0;  ///< infinity: no distance is a number
};

/// What the layers of a model compute besides products, for one kind of processor. Arrays are
/// contiguous; n may be 0. No result depends on the address of an array. Exponentials have a
/// relative error of about one unit in the last place, and are 0 where they would be below the
/// smallest normal number.
template <class Real>
struct LayerKernels {
  /// The maximum; -infinity if n is 0.
  Real (*largest)(const Real* row, Index n);
  /// row = exp(row - most), where no value exceeds `most`; returns the sum.
  Real (*exponentials)(Real* row, Index n, Real most);
  /// The same sum alone.
  Real (*sum_of_exponentials)(const Real* row, Index n, Real most);
  /// out += factor · exp(row - most).
  void (*add_exponentials)(const Real* row, Index n, Real most, Real factor, Real* out);
  void (*scale)(Real* row, Index n, Real factor);
  /// row[i] = factor · row[i] + reversed[n - 1 - i].
  void (*scale_and_add)(Real* row, Index n, Real factor, const Real* reversed);
  /// Σ a b.
  Real (*product)(const Real* a, const Real* b, Index n);
  /// dp = factor · p (dp - mean).
  void (*weigh_differences)(const Real* p, Index n, Real mean, Real factor, Real* dp);

  /// y = gate · sigmoid(gate) · up; a null `up` is ones.
  void (*gated)(Index n, const Real* gate, const Real* up, Real* y);
  /// dgate and dup += the gradients of gated() by dy; a null `up` has no gradient.
  void (*gated_backward)(Index n, const Real* gate, const Real* up, const Real* dy, Real* dgate, Real* dup);

  /// The column of [width, count] that is nearest to `key`, the first of several. `count` is a
  /// multiple of lane_count<Real>.
  NearestColumn<Real> (*nearest)(const Real* key, Index width, const Real* columns, Index count);

  /// As RmsNorm::forward and backward.
  void (*norm)(const NormShape<Real>& shape, const Real* x, const Real* w, Real* y, Real* r);
  void (*norm_backward)(const NormShape<Real>& shape, const Real* x, const Real* w, const Real* r, const Real* dy,
                        Real* dx, Real* dw);
};

/// Every build that this processor can run, the slowest and most portable first.
template <class Real>
std::vector<const LayerKernels<Real>*> usable_layer_kernels();

/// The fastest of them.
template <class Real>
const LayerKernels<Real>& best_layer_kernels();

}  // namespace vqscope
