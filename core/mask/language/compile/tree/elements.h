// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"
#include "core/mask/language/compile/tensor/tensor_access.h"

namespace vqscope::language {

/// x[i], x[:, i], d[key]
Value compile_index(Compilation& c, const Expression& e, Scope& scope);

/// d[a, b] has the key (a, b).
Argument subscript_key(Compilation& c, const Expression& e, Scope& scope);

/// What stands between the brackets of an index.
std::vector<Subscript> subscripts_of(Compilation& c, const Expression& e, Scope& scope);

/// Whether an array's values are known by now.
bool is_given(const Compilation& c, const Value& value);

/// How long an array is. One of a batch has its values of this b, and the length of a row on every side.
Value shape_of(Compilation& c, const Value& given, Range range);

/// One of the values that a, b = x gives.
Value item_of(Compilation& c, const Value& all, Index i, Range range);

/// A list of integers that are known as an array; a free name as one that is given.
Value as_array(Compilation& c, const Argument& argument);

}  // namespace vqscope::language
