// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/token_reader.h"

namespace vqscope::language {

/// if, elif and else, each with what is indented under it.
void parse_if(TokenReader& r, std::vector<Statement>& statements, Index outer);

/// for names in all:
void parse_for(TokenReader& r, std::vector<Statement>& statements);

/// while condition:
void parse_while(TokenReader& r, std::vector<Statement>& statements);

/// with and try: what is indented under them, as if it stood there alone. What cannot be read is passed over.
void parse_guarded(TokenReader& r, std::vector<Statement>& statements);

/// A class of fields alone, as the function of these fields that gives back a SimpleNamespace. Any other class is
/// passed over.
void parse_class(TokenReader& r, std::vector<Statement>& statements);

/// assert condition, message
void parse_assert(TokenReader& r, std::vector<Statement>& statements);

/// Python that means nothing to a mask, and what is indented under it: its names have no value from there on.
void skip_statement(TokenReader& r, std::vector<Statement>& statements, const std::string& advice);

}  // namespace vqscope::language
