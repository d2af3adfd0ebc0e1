// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vqscope::language {

/// The operations of a compiled program: node.value, node.a, node.b and node.c of code.h; and those
/// of a bound program, with BoundNode's. What both have means the same in both.
enum class Op : std::uint8_t {
  constant,   ///< value
  variable,   ///< Variable(value)
  parameter,  ///< Code::integers[value]
  element,    ///< arrays[value][a]; -1 is the last element, and in a bound program 0 is outside
  along,      ///< a as an index along a dimension of size `value`; -1 is the last one
  length,     ///< the length of Code::arrays[value]
  q,          ///< the row, of a bound program only
  kv,         ///< the column, of a bound program only
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
  or_else,  ///< evaluates b only if a does not decide
  select,   ///< a ? b : c, evaluates only the chosen one
  where,    ///< a ? b : c, evaluates both
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

/// The next tighter binding; not defined for power.
inline Binding tighter(Binding binding) { return static_cast<Binding>(static_cast<int>(binding) + 1); }

/// An operator between two numbers. The tokeniser, the parser, the compiler and every evaluator use
/// this row.
struct Operator {
  std::string_view symbol;
  Binding binding = Binding::sum;
  std::optional<Op> op;        ///< empty: the result is a fraction
  std::string_view functions;  ///< torch's name for it, then others, with blanks between; empty: none

  /// The result for 64-bit integers; empty: it is refused, or does not fit.
  std::optional<Index> (*value)(Index a, Index b) = nullptr;

  /// Why the operands are refused; returns null if they are valid. Null pointer: all operands are
  /// valid.
  const char* (*refusal)(Index a, Index b) = nullptr;

  std::optional<Op> of_truths = {};  ///< operation on two truth values; empty: they count as 0 and 1
  bool is_kept_bool = false;         ///< the result for arrays of truth values is one too
  bool folds = false;                ///< folds two numbers into one in the program
  bool is_constant = false;          ///< `NAME = 4 * 128` still gives a parameter its default

  constexpr std::string_view function() const { return functions.substr(0, functions.find(' ')); }
};

std::span<const Operator> operators();

/// Null: there is none.
const Operator* operator_of(std::string_view symbol);
const Operator* operator_of(Op op);

/// The binding of an operator between two numbers; loosest if `symbol` is not one.
Binding binding_of(std::string_view symbol);

/// < <= > >= == !=
bool is_comparison(std::string_view symbol);

/// & | ^, which bind tighter than comparisons, unlike Python's `and` and `or`.
bool is_bitwise(std::string_view symbol);

/// The message for a Python operator that is not part of the mask language.
std::string missing_operator(const std::string& symbol);

}  // namespace vqscope::language
