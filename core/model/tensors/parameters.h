// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/tensors/parameter_layout.h"

#include <span>

namespace vqscope {

/// The numbers of a model's tensors, or of their gradients, which have the same layout.
template <class Real>
struct Parameters {
  std::shared_ptr<const ParameterLayout> layout;
  std::vector<Real> values;  ///< [layout->count]

  const Real* at(Index offset) const { return values.data() + offset; }
  Real* at(Index offset) { return values.data() + offset; }
  /// Null if the model has no such tensor.
  const Real* at_if(Index offset) const { return offset < 0 ? nullptr : at(offset); }
  Real* at_if(Index offset) { return offset < 0 ? nullptr : at(offset); }

  std::span<const Real> tensor(const ParameterTensor& one) const {
    return std::span(values).subspan(static_cast<std::size_t>(one.offset), static_cast<std::size_t>(one.count));
  }
  std::span<Real> tensor(const ParameterTensor& one) {
    return std::span(values).subspan(static_cast<std::size_t>(one.offset), static_cast<std::size_t>(one.count));
  }
};

/// All of them 0.
template <class Real>
Parameters<Real> zeros_of(std::shared_ptr<const ParameterLayout> layout) {
  const auto count = static_cast<std::size_t>(layout->count);
  return {std::move(layout), std::vector<Real>(count)};
}

}  // namespace vqscope
