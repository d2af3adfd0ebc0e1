// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"
#include "core/mask/language/compile/tensor/tensor.h"

namespace vqscope::language {

/// One of the things between the brackets of an index.
struct Subscript {
  enum class Kind { value, slice, every /* ... */ };
  Kind kind = Kind::value;
  Argument value;
  std::optional<Index> first, end, step;

  /// None: a side of one element that the array did not have.
  bool is_new() const { return kind == Kind::value && value.value.kind == Value::Kind::nothing; }
};

/// x[subscripts]
Value read_elements(Compilation& c, const TensorPtr& from, const std::vector<Subscript>& subscripts, Range range);

/// x[subscripts] = value
void write_elements(Compilation& c, const TensorPtr& to, const std::vector<Subscript>& subscripts,
                    const Argument& value, Range range);

/// Subscripts that leave each element where it is but along one side, where the indices say.
std::vector<Subscript> moved_to(Compilation& c, const Tensor& indices, std::size_t side, Range range);

}  // namespace vqscope::language
