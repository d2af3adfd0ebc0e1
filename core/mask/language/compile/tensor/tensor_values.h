// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"
#include "core/mask/language/compile/tensor/tensor.h"

#include <functional>

namespace vqscope::language {

inline constexpr Index most_cell_values = 4096;  ///< of a tensor whose elements differ by cell

/// The result of an operation on the operands of one element.
using OfValues = std::function<Value(const std::vector<Argument>&)>;

/// Whether a value is an array as a whole. A list of Python is not one.
bool is_tensor(const Compilation& c, const Value& value);

/// Whether one of the arguments is an array.
bool any_tensor(const Compilation& c, const std::vector<Argument>& arguments);

/// Converts a tensor, a given array, a list (of lists) or a number. Null after an error.
TensorPtr as_tensor(Compilation& c, const Argument& argument);

/// The same, but a number is not valid: a free name is an array here.
TensorPtr array_at(Compilation& c, const Argument& argument);

/// A tensor as a value; a tensor without dimensions is its element.
Value of_tensor(Compilation& c, Tensor tensor, Range range);

/// The element at an index that counts row by row.
Value element_at(Compilation& c, const Tensor& tensor, Index place, Range range);

/// The items along its first dimension: elements, or tensors with one dimension less.
std::vector<Value> rows_of(Compilation& c, const TensorPtr& tensor, Range range);

/// An integer that is known before any cell is evaluated.
std::optional<Index> known_number(Compilation& c, const Argument& argument);

/// 4, 16 or (4, 16).
std::optional<std::vector<Index>> known_integers(Compilation& c, const std::vector<Argument>& arguments);

/// A tensor of a shape, filled with one number.
std::optional<Tensor> filled(Compilation& c, std::vector<Index> shape, Index number, bool is_bool, Range range);

/// The sizes of the dimensions, as a list of Python.
Value sizes_list(Compilation& c, std::span<const Index> shape, Range range);

/// Number of elements of a shape, counted against the text's budget; empty: too many.
std::optional<Index> counted(Compilation& c, std::span<const Index> shape, Range range);

Value each_element(Compilation& c, const std::string& name, const std::vector<Argument>& operands,
                   const OfValues& of_values, Range range);

}  // namespace vqscope::language
