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
  real,  ///< value / denominator
  boolean,
  string,   ///< name is the text between the quotes; `symbols` has "f" if {names} are to be filled in
  nothing,  ///< None
  name,
  attribute,  ///< operands[0].name
  call,       ///< operands[0](operands[1], ...); keywords[i] names operands[i + 1], empty: by position
  index,      ///< operands[0][operands[1], ...]
  slice,      ///< operands[0]:operands[1]:operands[2] in the brackets of an index; missing parts are None
  ellipsis,   ///< ...
  unary,      ///< symbol operands[0]
  binary,     ///< operands[0] symbol operands[1]
  compare,    ///< operands[0] symbols[0] operands[1] symbols[1] ...; a symbol may be `is`, `in` and their negations
  conjunction,
  disjunction,
  negation,
  ternary,     ///< operands[1] if operands[0] else operands[2]
  tuple,       ///< a list too
  set,         ///< {operands[0], ...}
  dictionary,  ///< {operands[0]: operands[1], ...}; a starred key joins a whole dictionary, its value is None
  starred,     ///< *operands[0]; **operands[0] in a dictionary, or in a call if the keyword is **
  assigned,    ///< name := operands[0]
  lambda,      ///< Syntax::functions[value]
  generator    ///< operands[0] for names in operands[1] if operands[2]...; `name` is the result: "set",
               ///< "dictionary" of pairs, else a list. Symbols: "unpacks", "nested" if operands[0] is a generator too
};

struct Expression {
  ExpressionKind kind = ExpressionKind::integer;
  Range range;       ///< bytes of the text, without parentheses around it
  Range outer;       ///< with parentheses
  std::string name;  ///< of a name or an attribute; the symbol of an operator
  Index value = 0;
  Index denominator = 1;
  std::vector<ExpressionId> operands;
  std::vector<std::string> keywords;
  std::vector<std::string> symbols;
  std::vector<std::string> names;  ///< that a generator assigns its items to, several to unpack
  bool parenthesised = false;
  int depth = 1;  ///< depth of its tree, including itself
};

struct Parameter {
  std::string name;
  Range range;
  ExpressionId default_value = no_expression;
  bool gathers = false;    ///< *masks: the remaining positional arguments
  bool is_tensor = false;  ///< according to its annotation
  std::string type;        ///< its annotation, if that is one word
};

enum class StatementKind {
  assign,
  write,  ///< place = value, an index
  give_back,
  define,
  expression,
  choose,   ///< body if value else otherwise
  repeat,   ///< body for targets in value; without targets: while value
  leave,    ///< break; `unpacks`: continue
  attempt,  ///< body, or otherwise if a dictionary lacks a key that body reads
  require,  ///< assert value
  refuse,   ///< raise; `unpacks`: SystemExit, which ends a script
  skipped   ///< Python without meaning here; the targets are the names it would have assigned; `unpacks`: it returns
};

struct Statement {
  StatementKind kind = StatementKind::expression;
  Range range;
  std::vector<std::string> targets;  ///< of an assignment; several: the value is unpacked
  bool unpacks = false;
  ExpressionId place = no_expression;
  ExpressionId value = no_expression;
  std::int32_t function = -1;  ///< into Syntax::functions
  std::vector<Statement> body;
  std::vector<Statement> otherwise;
  std::string advice;  ///< for skipped or refused statements
};

struct Function {
  std::string name;
  Range range;  ///< of the name
  std::vector<Parameter> parameters;
  std::vector<Statement> body;
};

/// A text as a tree, without imports, docstrings, decorators and annotations.
struct Syntax {
  std::vector<Expression> expressions;
  std::vector<Function> functions;
  std::vector<Statement> statements;

  const Expression& at(ExpressionId id) const { return expressions[static_cast<std::size_t>(id)]; }

  /// The owner of all attributes: a of a.b.c.
  const Expression& owner_of(const Expression& e) const {
    const Expression* owner = &e;
    while (owner->kind == ExpressionKind::attribute) owner = &at(owner->operands[0]);
    return *owner;
  }
};

}  // namespace vqscope::language
