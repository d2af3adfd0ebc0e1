// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/expression_parser.h"

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

  /// if, elif and else, each with what is indented under it.
  void conditional(std::vector<Statement>& statements, Index outer);
  void loop(std::vector<Statement>& statements);
  void while_loop(std::vector<Statement>& statements);

  /// with and try: what is indented under them, as if it stood there alone. What cannot be read is passed over.
  void guarded_block(std::vector<Statement>& statements);
  bool read_guarded(std::vector<Statement>& statements);

  /// A class of fields alone, as the function of these fields that gives back a SimpleNamespace. Any other class is
  /// passed over.
  void class_of_fields(std::vector<Statement>& statements);
  bool read_fields(std::vector<Statement>& statements);
  void assertion(std::vector<Statement>& statements);

  /// Python that means nothing to a mask, and what is indented under it: its names have no value from there on.
  void skip_statement(std::vector<Statement>& statements, const std::string& advice);

  /// What to say where a statement of Python begins that the mask language leaves out; else nothing.
  std::string no_statement() const;

  /// name: type = value
  void annotated(std::vector<Statement>& statements);
  void assignment_or_expression(std::vector<Statement>& statements);

  /// x += y as x = x + y; x may be an index.
  void augmented(std::vector<Statement>& statements, Range begin, ExpressionId target);

  /// place = value
  Statement written_to(ExpressionId place, ExpressionId value, Range begin) const;

  /// The names that an expression on the left of = assigns to. False: something in it is no name.
  bool read_targets(ExpressionId value, Statement& statement);

  void define(std::vector<Statement>& statements);

  /// What stands under a line that is indented by `outer`: the rest of that line or a block. `owner` says whose it is.
  std::vector<Statement> body(Range place, const std::string& owner, Index outer);
};

}  // namespace vqscope::language
