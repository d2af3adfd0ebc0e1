// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/expression_parser.h"

namespace vqscope::language {

/// Statements of a text, by lines and indentation.
class StatementParser : private ExpressionParser {
 public:
  explicit StatementParser(std::string_view text) : ExpressionParser(text) {}

  /// Reads the whole text; once.
  Parsed run();

 private:
  /// The lines that are indented by `indent`, up to one that is indented less.
  std::vector<Statement> block(Index indent);

  /// Statements with semicolons between them.
  void line(std::vector<Statement>& statements);
  void statement(std::vector<Statement>& statements);
  void skip_line();

  /// What to say where a statement of Python begins that the mask language leaves out; else nothing.
  std::string no_statement() const;

  /// name: type = value
  void annotated(std::vector<Statement>& statements);
  void assignment_or_expression(std::vector<Statement>& statements);

  /// x += y as x = x + y.
  void augmented(std::vector<Statement>& statements, Range begin, ExpressionId target);

  /// The names that an expression on the left of = assigns to. False: something in it is no name.
  bool read_targets(ExpressionId value, Statement& statement);

  void define(std::vector<Statement>& statements);

  /// Of a function whose def is indented by `outer`: the rest of its line or a block.
  std::vector<Statement> body(const Function& function, Index outer);
};

}  // namespace vqscope::language
