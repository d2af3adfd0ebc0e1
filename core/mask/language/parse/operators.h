// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vqscope::language {

/// The operations of a compiled program: node.value, node.a, node.b and node.c of code.h.
enum class Op : std::uint8_t {
  constant,   ///< value
  variable,   ///< Variable(value)
  parameter,  ///< Code::integers[value]
  element,    ///< Code::arrays[value][a], of -1 its last one
  along,      ///< a as an index along a side of `value` values, of -1 the last one
  length,     ///< how many values Code::arrays[value] has
  negate,
  absolute,
  bit_not,
  add,
  subtract,
  multiply,
  floor_divide,
  modulo,
  power,
  shift_left,
  shift_right,
  bit_and,
  bit_or,
  bit_xor,
  minimum,
  maximum,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  to_bool,
  to_int,
  logical_not,
  logical_and,
  logical_or,
  logical_xor,
  and_then,
  or_else,  ///< b only where a leaves it open
  select,   ///< a ? b : c, only the one that is chosen
  where,    ///< a ? b : c, both
};
inline constexpr std::size_t op_count = static_cast<std::size_t>(Op::where) + 1;

/// How tightly operators bind, as in Python; a comparison is looser than every operator on numbers.
enum class Binding : std::uint8_t {
  loosest,
  ternary,
  disjunction,
  conjunction,
  negation,
  comparison,
  bit_or,
  bit_xor,
  bit_and,
  shift,
  sum,
  product,
  unary,
  power
};

/// What binds one step tighter; not of power.
inline Binding tighter(Binding binding) { return static_cast<Binding>(static_cast<int>(binding) + 1); }

/// An operator between two numbers. The tokens, the parser, the compiler and every evaluator read its row.
struct Operator {
  std::string_view symbol;
  Binding binding = Binding::sum;
  std::optional<Op> op;       ///< nothing: it makes a fraction
  std::string_view function;  ///< torch's name of it; empty: there is none

  /// The result for 64-bit integers; nothing: it is refused, or does not fit.
  std::optional<Index> (*value)(Index a, Index b) = nullptr;

  /// Why there is no result; null: there is one, or it does not fit. Null pointer: every operand is allowed.
  const char* (*refusal)(Index a, Index b) = nullptr;

  std::optional<Op> of_truths = {};  ///< what it means between two truth values; else they are 0 and 1
  bool is_kept_bool = false;         ///< an array of truth values stays one
  bool folds = false;                ///< two numbers are one number in the program
  bool is_constant = false;          ///< `NAME = 4 * 128` still gives a parameter its default
};

std::span<const Operator> operators();

/// Null: there is none.
const Operator* operator_of(std::string_view symbol);
const Operator* operator_of(Op op);

/// By torch's name, such as floor_divide; null: there is none.
const Operator* operator_of_function(std::string_view function);

/// Of an operator between two numbers that gives a number; loosest when `symbol` is none.
Binding binding_of(std::string_view symbol);

/// < <= > >= == !=
bool is_comparison(std::string_view symbol);

/// & | ^, which bind tighter than comparisons, unlike Python's `and` and `or`.
bool is_bitwise(std::string_view symbol);

/// What to say about an operator of Python that the mask language leaves out.
std::string missing_operator(const std::string& symbol);

}  // namespace vqscope::language
