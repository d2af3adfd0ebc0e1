// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/value.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vqscope::language {

/// An array of a text whose sizes are known while the text is compiled, row by row. Its elements are numbers that are
/// known too, or values that differ by cell.
struct Tensor {
  std::vector<Index> shape;
  bool is_bool = false;
  std::vector<Index> numbers;  ///< where all are known
  std::vector<Value> values;   ///< else, of these numbers too

  int choices = 0;  ///< the ifs by cell that it was made inside of
  /// What stands for its memory: a part of a tensor has that of the whole, and who writes to one would change both.
  std::shared_ptr<const char> memory = std::make_shared<const char>();

  Index size() const {
    return numbers.empty() ? static_cast<Index>(values.size()) : static_cast<Index>(numbers.size());
  }
  bool is_known() const { return values.empty(); }
  Index sides() const { return static_cast<Index>(shape.size()); }
};

using TensorPtr = std::shared_ptr<Tensor>;

/// Elements of an array of this shape; nothing: more than a tensor of a text may have.
std::optional<Index> element_count(std::span<const Index> shape);

/// Of each side how far apart its elements are, row by row.
std::vector<Index> strides_of(std::span<const Index> shape);

/// (4, 16), as torch writes it.
std::string shape_text(std::span<const Index> shape);

/// What two shapes come to where each side of 1 is repeated; nothing: they do not fit.
std::optional<std::vector<Index>> broadcast(std::span<const Index> a, std::span<const Index> b);

/// For each element of `to` in turn, the place in an array of shape `from` that it repeats. `from` broadcasts to `to`.
std::vector<Index> broadcast_places(std::span<const Index> from, std::span<const Index> to);

/// The elements at these places, in another shape. Shares the memory.
Tensor rearranged(const Tensor& of, std::vector<Index> shape, std::span<const Index> places);

/// -1 counts from the end. Nothing: there is no such side.
std::optional<std::size_t> side_of(Index side, Index sides);

}  // namespace vqscope::language
