// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"
#include "core/mask/language/compile/tensor/tensor.h"

namespace vqscope::language {

/// One subscript between the brackets of an index.
struct Subscript {
  enum class Kind { value, slice, every /* ... */ };
  Kind kind = Kind::value;
  Argument value;
  std::optional<Index> first, end, step;

  /// None: a new dimension of one element.
  bool is_new() const { return kind == Kind::value && value.value.kind == Value::Kind::nothing; }
};

/// The elements that an index selects: for each element of the result its index, row by row. If it
/// differs by cell, the index is the sum of a number and a node.
struct TensorPlaces {
  std::vector<Index> shape;
  std::vector<Index> at;
  std::vector<NodeId> moving;  ///< empty: none differs by cell
};

/// The elements that subscripts select; empty after an error.
std::optional<TensorPlaces> find_places(Compilation& c, const Tensor& tensor, std::vector<Subscript> subscripts,
                                        Range range);

}  // namespace vqscope::language
