// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/tensor/tensor_index.h"

namespace vqscope::language {

/// x[subscripts]
Value read_elements(Compilation& c, const TensorPtr& from, const std::vector<Subscript>& subscripts, Range range);

/// x[subscripts] = value
void write_elements(Compilation& c, const TensorPtr& to, const std::vector<Subscript>& subscripts,
                    const Argument& value, Range range);

/// Subscripts that keep each element's position except along one dimension, where `indices` gives
/// it.
std::vector<Subscript> moved_to(Compilation& c, const Tensor& indices, std::size_t side, Range range);

}  // namespace vqscope::language
