// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <string>
#include <vector>

namespace vqscope::language {

/// Into Syntax::expressions.
using ExpressionId = std::int32_t;
inline constexpr ExpressionId no_expression = -1;

enum class ExpressionKind {
  integer,
  boolean,
  string,
  name,
  attribute,  ///< operands[0].name
  call,       ///< operands[0](operands[1], ...); keywords[i] names operands[i + 1], empty: by position
  index,      ///< operands[0][operands[1], ...]
  unary,      ///< symbol operands[0]
  binary,     ///< operands[0] symbol operands[1]
  compare,    ///< operands[0] symbols[0] operands[1] symbols[1] ...
  conjunction,
  disjunction,
  negation,
  ternary,  ///< operands[1] if operands[0] else operands[2]
  tuple,
  lambda,  ///< Syntax::functions[value]
};

struct Expression {
  ExpressionKind kind = ExpressionKind::integer;
  Range range;       ///< bytes of the text, without parentheses around it
  Range outer;       ///< with them
  std::string name;  ///< of a name or an attribute; the symbol of an operator
  Index value = 0;
  std::vector<ExpressionId> operands;
  std::vector<std::string> keywords;
  std::vector<std::string> symbols;
  bool parenthesised = false;
  int depth = 1;  ///< of the tree below, itself counted
};

struct Parameter {
  std::string name;
  Range range;
  ExpressionId fallback = no_expression;
};

enum class StatementKind { assign, give_back, define, expression };

struct Statement {
  StatementKind kind = StatementKind::expression;
  Range range;
  std::vector<std::string> targets;  ///< of an assignment; several: the value is unpacked
  bool unpacks = false;
  ExpressionId value = no_expression;
  std::int32_t function = -1;  ///< into Syntax::functions
};

struct Function {
  std::string name;
  Range range;  ///< of the name
  std::vector<Parameter> parameters;
  std::vector<Statement> body;
};

/// A text as a tree. Imports, docstrings and annotations are gone.
struct Syntax {
  std::vector<Expression> expressions;
  std::vector<Function> functions;
  std::vector<Statement> statements;

  const Expression& at(ExpressionId id) const { return expressions[static_cast<std::size_t>(id)]; }
};

}  // namespace vqscope::language
