// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace vqscope::language {

class Compilation;
struct Expression;
struct FunctionCall;
struct Scope;
struct TensorCall;
struct Value;

/// Implementation of a function if one of its arguments is an array.
enum class Arrays : std::uint8_t {
  by_array,  ///< the kernel or of_arrays
  or_list,   ///< the same, also if the first argument is a list
  always,    ///< the same, whatever the arguments are
  by_value   ///< of_values
};

/// Which values a method leaves as they are.
enum class Unchanged : std::uint8_t { none, numbers, all };

/// A function of the mask language: its names, and what computes it.
struct FunctionRow {
  std::string_view names;    ///< called alone or from a module, with blanks between; the first is torch's
  std::string_view methods;  ///< called on a value
  Value (*of_values)(Compilation&, const FunctionCall&) = nullptr;
  Value (*of_arrays)(Compilation&, const TensorCall&) = nullptr;
  std::string_view keywords;                                            ///< arguments that of_arrays reads by name
  std::string_view kernel;                                              ///< applied element by element: tensor.h
  Value (*of_numpy)(Compilation&, const FunctionCall&) = nullptr;       ///< where NumPy's function differs
  Value (*of_call)(Compilation&, const Expression&, Scope&) = nullptr;  ///< reads its arguments itself
  Arrays arrays = Arrays::by_array;
  Unchanged unchanged = Unchanged::none;
  bool changes = false;      ///< a method that is called for its effect: x.append(y), x.fill_(y)
  std::string_view example;  ///< of x = tensor([2, 0, 1]), m = tensor([[1, 0], [1, 1]]), d = {"a": 1}, s = "ab"

  /// The name in messages and for what computes the function.
  constexpr std::string_view name() const {
    const std::string_view all = names.empty() ? methods : names;
    return all.substr(0, all.find(' '));
  }
};

/// How a function is called: alone, or as a method.
enum class Called : std::uint8_t { alone, on_value, on_dictionary, on_text };

struct FunctionSection {
  std::string_view title;
  std::span<const FunctionRow> rows;
  Called methods = Called::on_value;
  bool is_plain = false;  ///< the first names are values without a module too, as in reduce(max, list)
};

/// All functions, those of the operators last.
std::span<const FunctionSection> function_sections();

/// Null: there is no such function, or it is not called like that. A function is also called from a
/// module, as torch.where.
const FunctionRow* function_row(std::string_view name, Called as);

/// The function with this name, called alone or on a value.
const FunctionRow* function_row(std::string_view name);

}  // namespace vqscope::language
