// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/token_reader.h"

namespace vqscope::language {

/// The names that an item is given: `name`, or `a, b` to unpack it into. True: it is unpacked. What stands in
/// parentheses among them goes to `nested`, under its text as a name.
bool read_names(TokenReader& r, std::vector<std::string>& names, std::vector<ExpressionId>& nested);

/// Of a def or a lambda, up to `end`; with annotations or without.
std::vector<Parameter> parse_parameters(TokenReader& r, std::string_view end, bool annotated);

/// A type: everything up to a comma, = or `end` outside brackets of its own.
void skip_annotation(TokenReader& r, std::string_view end);

/// A name, a literal, or what stands in brackets.
ExpressionId parse_atom(TokenReader& r);

/// lambda parameters: value
ExpressionId parse_lambda(TokenReader& r);

/// What may follow a value: calls, indices, attributes.
ExpressionId parse_postfix(TokenReader& r, ExpressionId value);

}  // namespace vqscope::language
