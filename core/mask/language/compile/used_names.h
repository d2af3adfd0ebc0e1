// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/syntax.h"

#include <set>
#include <string>
#include <vector>

namespace vqscope::language {

/// The names that statements read, also in their blocks and in the functions that they define.
std::set<std::string> names_in(const Syntax& syntax, const std::vector<Statement>& all);

/// Adds the names of an expression.
void add_names(const Syntax& syntax, ExpressionId id, std::set<std::string>& names);

/// The names that a text uses as whole arrays: x in (x == 3).cumsum(0), in x.shape[1], and in `x:
/// torch.Tensor`. Does not check which of them are free.
std::set<std::string> array_names(const Syntax& syntax);

}  // namespace vqscope::language
