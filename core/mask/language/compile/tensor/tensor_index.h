// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/tensor/tensor_access.h"

namespace vqscope::language {

/// Which elements an index means: of each element of the result the place, row by row. Where it differs by cell the
/// place is the sum of a number and a node.
struct TensorPlaces {
  std::vector<Index> shape;
  std::vector<Index> at;
  std::vector<NodeId> moving;  ///< empty: none differs by cell
};

/// The elements that subscripts mean; nothing after an error.
std::optional<TensorPlaces> find_places(Compilation& c, const Tensor& tensor, std::vector<Subscript> subscripts,
                                        Range range);

}  // namespace vqscope::language
