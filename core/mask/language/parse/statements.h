// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/token_reader.h"

namespace vqscope::language {

/// Up to the next end of a line outside brackets.
void skip_line(TokenReader& r);

/// What to say where a statement of Python begins that the mask language leaves out; else nothing.
std::string no_statement(const TokenReader& r);

/// The names that an expression on the left of = assigns to. False: something in it is no name.
bool read_targets(TokenReader& r, ExpressionId value, Statement& statement);

/// What stands under a line that is indented by `outer`: the rest of that line or a block. `owner` says whose it is.
std::vector<Statement> parse_body(TokenReader& r, Range place, const std::string& owner, Index outer);

}  // namespace vqscope::language
