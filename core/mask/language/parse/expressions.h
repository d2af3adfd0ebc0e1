// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/operators.h"
#include "core/mask/language/parse/token_reader.h"

namespace vqscope::language {

/// An expression whose operators bind at least as tightly as `least`.
ExpressionId parse_expression(TokenReader& r, Binding least);

/// Expressions with commas between them are a tuple.
ExpressionId parse_list(TokenReader& r);

/// From the beginning of one expression to the end of another one, with their parentheses.
Range spanning(const TokenReader& r, ExpressionId first, ExpressionId last);

/// `chosen if condition else other`, from `if` on.
ExpressionId parse_ternary(TokenReader& r, ExpressionId chosen);

}  // namespace vqscope::language
