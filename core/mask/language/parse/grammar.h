// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/operators.h"
#include "core/mask/language/parse/token_reader.h"

namespace vqscope::language {

// A recursive descent parser: its functions are mutually recursive, so one header declares them
// all, grouped by file.

// expressions.cpp

/// An expression whose operators bind at least as tightly as `least`.
ExpressionId parse_expression(TokenReader& r, Binding least);

/// One expression, or a tuple of expressions separated by commas.
ExpressionId parse_list(TokenReader& r);

/// From the start of one expression to the end of another one, including their parentheses.
Range spanning(const TokenReader& r, ExpressionId first, ExpressionId last);

/// `chosen if condition else other`, from `if` on.
ExpressionId parse_ternary(TokenReader& r, ExpressionId chosen);

// atoms.cpp

/// A name, a literal, or a bracketed expression.
ExpressionId parse_atom(TokenReader& r);

// brackets.cpp

/// `value for names in all if condition`, after its value.
ExpressionId parse_generator(TokenReader& r, ExpressionId value);

/// A tuple or an expression in parentheses, from after `opened` on.
ExpressionId parse_parentheses(TokenReader& r, Range opened);

/// [a, b], as a tuple.
ExpressionId parse_brackets(TokenReader& r, Range opened);

/// {a, b}, {a: b} and comprehensions.
ExpressionId parse_braces(TokenReader& r, Range opened);

// postfix.cpp

/// The calls, indices and attributes that follow a value.
ExpressionId parse_postfix(TokenReader& r, ExpressionId value);

// parameters.cpp

/// The names that an item is assigned to: `name`, or `a, b` to unpack it. Returns whether it is
/// unpacked. Parenthesised targets go to `nested`, with their text as a name.
bool read_names(TokenReader& r, std::vector<std::string>& names, std::vector<ExpressionId>& nested);

/// Parameters of a def or a lambda, up to `end`, with or without annotations.
std::vector<Parameter> parse_parameters(TokenReader& r, std::string_view end, bool annotated);

/// Skips a type: everything up to a comma, = or `end` outside its own brackets.
void skip_annotation(TokenReader& r, std::string_view end);

/// lambda parameters: value
ExpressionId parse_lambda(TokenReader& r);

// statements.cpp

/// Skips to the next end of a line outside brackets.
void skip_line(TokenReader& r);

/// The message for a Python statement that is not part of the mask language; empty for other
/// statements.
std::string no_statement(const TokenReader& r);

/// The names that an expression on the left of = assigns to. False: something in it is not a name.
bool read_targets(TokenReader& r, ExpressionId value, Statement& statement);

/// The body of a line that is indented by `outer`: the rest of that line or a block. `owner` names
/// the statement in messages.
std::vector<Statement> parse_body(TokenReader& r, Range place, const std::string& owner, Index outer);

// blocks.cpp

/// if, elif and else, each with its block.
void parse_if(TokenReader& r, std::vector<Statement>& statements, Index outer);

/// Whether a line is `match subject:`, and not one about something called match.
bool at_match(const TokenReader& r);

/// match and its cases, as a chain of if: of numbers, texts, None, names with a dot, tuples of
/// these, | and _.
void parse_match(TokenReader& r, std::vector<Statement>& statements);

/// for names in all:
void parse_for(TokenReader& r, std::vector<Statement>& statements);

/// while condition:
void parse_while(TokenReader& r, std::vector<Statement>& statements);

/// with and try: their blocks, as if they stood alone. Skips what cannot be parsed.
void parse_guarded(TokenReader& r, std::vector<Statement>& statements);

/// A class with only fields, as a function of these fields that returns a SimpleNamespace. Skips
/// any other class.
void parse_class(TokenReader& r, std::vector<Statement>& statements);

/// assert condition, message
void parse_assert(TokenReader& r, std::vector<Statement>& statements);

/// Python without meaning for a mask, and its block: its names have no value from there on.
void skip_statement(TokenReader& r, std::vector<Statement>& statements, const std::string& advice);

}  // namespace vqscope::language
