// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/syntax.h"

#include <map>
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

/// The names that a text slices as whole arrays, with the dimensions that they need: 2 for x in
/// x[:, None, :].
std::map<std::string, std::size_t> sliced_names(const Syntax& syntax);

/// The names that are operands of an operator or a comparison: x in x < 3.
std::set<std::string> operand_names(const Syntax& syntax);

}  // namespace vqscope::language
