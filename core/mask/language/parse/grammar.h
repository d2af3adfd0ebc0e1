// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/operators.h"
#include "core/mask/language/parse/token_reader.h"

namespace vqscope::language {

// A parser by recursive descent: its functions call each other in a circle, so one header declares them all, by the
// file that has them.

// expressions.cpp

/// An expression whose operators bind at least as tightly as `least`.
ExpressionId parse_expression(TokenReader& r, Binding least);

/// Expressions with commas between them are a tuple.
ExpressionId parse_list(TokenReader& r);

/// From the beginning of one expression to the end of another one, with their parentheses.
Range spanning(const TokenReader& r, ExpressionId first, ExpressionId last);

/// `chosen if condition else other`, from `if` on.
ExpressionId parse_ternary(TokenReader& r, ExpressionId chosen);

// atoms.cpp

/// A name, a literal, or what stands in brackets.
ExpressionId parse_atom(TokenReader& r);

// brackets.cpp

/// `value for names in all if condition`, after its value.
ExpressionId parse_generator(TokenReader& r, ExpressionId value);

/// A tuple or an expression in parentheses, from behind `opened` on.
ExpressionId parse_parentheses(TokenReader& r, Range opened);

/// [a, b], as a tuple.
ExpressionId parse_brackets(TokenReader& r, Range opened);

/// {a, b}, {a: b} and what is made item by item.
ExpressionId parse_braces(TokenReader& r, Range opened);

// postfix.cpp

/// What may follow a value: calls, indices, attributes.
ExpressionId parse_postfix(TokenReader& r, ExpressionId value);

// parameters.cpp

/// The names that an item is given: `name`, or `a, b` to unpack it into. True: it is unpacked. What stands in
/// parentheses among them goes to `nested`, under its text as a name.
bool read_names(TokenReader& r, std::vector<std::string>& names, std::vector<ExpressionId>& nested);

/// Of a def or a lambda, up to `end`; with annotations or without.
std::vector<Parameter> parse_parameters(TokenReader& r, std::string_view end, bool annotated);

/// A type: everything up to a comma, = or `end` outside brackets of its own.
void skip_annotation(TokenReader& r, std::string_view end);

/// lambda parameters: value
ExpressionId parse_lambda(TokenReader& r);

// statements.cpp

/// Up to the next end of a line outside brackets.
void skip_line(TokenReader& r);

/// What to say where a statement of Python begins that the mask language leaves out; else nothing.
std::string no_statement(const TokenReader& r);

/// The names that an expression on the left of = assigns to. False: something in it is no name.
bool read_targets(TokenReader& r, ExpressionId value, Statement& statement);

/// What stands under a line that is indented by `outer`: the rest of that line or a block. `owner` says whose it is.
std::vector<Statement> parse_body(TokenReader& r, Range place, const std::string& owner, Index outer);

// blocks.cpp

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
