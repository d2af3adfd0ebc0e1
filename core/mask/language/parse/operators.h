// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vqscope::language {

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

/// Of an operator between two numbers; loosest when `symbol` is none.
Binding binding_of(std::string_view symbol);

/// < <= > >= == !=
bool is_comparison(std::string_view symbol);

/// What to say about an operator of Python that the mask language leaves out.
std::string missing_operator(const std::string& symbol);

}  // namespace vqscope::language
