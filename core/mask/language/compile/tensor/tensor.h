// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/mask/language/compile/value.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope::language {

/// The result of an operator or a function of one to three numbers; empty if it does not fit in 64
/// bits or is not defined.
struct NumberKernel {
  enum class Result { integer, truth, as_operands /* truth values of truth values */ };
  std::optional<Index> (*of_two)(Index a, Index b) = nullptr;
  std::optional<Index> (*of_any)(const std::array<Index, 3>& numbers) = nullptr;  ///< else
  Result result = Result::integer;

  std::optional<Index> of(const std::array<Index, 3>& numbers) const {
    return of_two ? of_two(numbers[0], numbers[1]) : of_any(numbers);
  }
};

/// The kernel of an operator, or of a function such as `minimum` and `where`; null: there is none.
const NumberKernel* number_kernel(std::string_view name);

/// An array of a text whose sizes are known at compile time, row by row. Its elements are known
/// numbers, or values that differ by cell.
struct Tensor {
  std::vector<Index> shape;
  bool is_bool = false;
  std::vector<Index> numbers;  ///< if all are known
  std::vector<Value> values;   ///< else all elements, known or not

  int choices = 0;  ///< number of ifs by cell in which it was made
  /// Identifies its memory: a part of a tensor shares that of the whole, so that a write would
  /// change both.
  std::shared_ptr<const char> memory = std::make_shared<const char>();

  Index size() const {
    return numbers.empty() ? static_cast<Index>(values.size()) : static_cast<Index>(numbers.size());
  }
  bool is_known() const { return values.empty(); }
  Index sides() const { return static_cast<Index>(shape.size()); }
};

using TensorPtr = std::shared_ptr<Tensor>;

/// Number of elements of an array of this shape; empty: more than a tensor of a text may have.
std::optional<Index> element_count(std::span<const Index> shape);

/// Distance between consecutive elements along each dimension, row by row.
std::vector<Index> strides_of(std::span<const Index> shape);

/// (4, 16), as torch writes it.
std::string shape_text(std::span<const Index> shape);

/// The shape to which two shapes broadcast; empty: they do not match.
std::optional<std::vector<Index>> broadcast(std::span<const Index> a, std::span<const Index> b);

/// For each element of `to`, the index in an array of shape `from` that it repeats. `from`
/// broadcasts to `to`.
std::vector<Index> broadcast_places(std::span<const Index> from, std::span<const Index> to);

/// The elements at these indices, in another shape. Shares the memory.
Tensor rearranged(const Tensor& of, std::vector<Index> shape, std::span<const Index> places);

/// The dimension `side`; negative numbers count from the end. Empty: there is no such dimension.
std::optional<std::size_t> side_of(Index side, Index sides);

}  // namespace vqscope::language
