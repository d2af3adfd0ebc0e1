// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"

namespace vqscope::language {

/// A list of Python; none after an error.
Value tuple_of(Compilation& c, std::vector<Value> items);

/// What a for goes through.
std::vector<Value> items_in(Compilation& c, const Argument& argument);

/// What the elements of a list come to; *x stands for those of x.
std::vector<Value> items_of(Compilation& c, const std::vector<ExpressionId>& operands, Scope& scope);

/// value for name in list if condition
Value compile_generator(Compilation& c, const Expression& e, Scope& scope);

/// range(end), range(begin, end), range(begin, end, step), of integers that are known.
Value range_of(Compilation& c, const Expression& e, const std::vector<Argument>& arguments);

/// all(...) and any(...) of a list, sum(...) of numbers.
Value reduced(Compilation& c, const std::string& name, const Expression& e, const std::vector<Argument>& arguments);

/// functools.reduce(function, list, first)
Value folded(Compilation& c, const Expression& e, const std::vector<Argument>& arguments);

}  // namespace vqscope::language
