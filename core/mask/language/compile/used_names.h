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

}  // namespace vqscope::language
