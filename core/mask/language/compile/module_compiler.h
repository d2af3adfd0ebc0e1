// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace vqscope::language {

/// The text as a whole. Its mask is what a reader of the file would say: the function that create_block_mask is given;
/// else the expression that the text ends in; else the last function of (b, h, q_idx, kv_idx) that no other one of the
/// text uses. A statement that is no mask and that nothing of the mask uses may be anything.
class ModuleCompiler {
 public:
  ModuleCompiler(std::string_view text, const Syntax& syntax, const Given& given, Index library);

  Compiled run();

 private:
  /// Something in the text that could be its mask.
  struct Candidate {
    std::string name;
    Value value;
    Range range;
    std::set<std::string> uses;  ///< names in it
  };

  void statements(const std::vector<Statement>& all);
  void statement(const Statement& statement);

  /// Whether a return stands in it.
  bool gives_back(const Statement& statement) const;

  /// The branch that is taken whatever the cell; null: there is none.
  const std::vector<Statement>* known_way(const Statement& statement);

  /// The mask that the last statements of the text give back, some of them where a cell decides it.
  void finish(std::vector<Statement> rest);

  void assignment(const Statement& statement);
  void expression_statement(const Statement& statement);
  void definition(const Statement& statement);

  /// Whether neither the text nor the mask language has the function.
  bool is_foreign(const Expression& callee) const;

  /// `WINDOW = 512`: a parameter with a default. False: the statement is something else.
  bool assign_parameters(const Statement& statement);

  /// The function that `create_block_mask(f, ...)` is given; nothing where the expression is no such call.
  ExpressionId handed_over(ExpressionId id) const;
  void hand_over(ExpressionId mask);

  /// The names that a statement gives a value, also those in it.
  std::vector<std::pair<std::string, Range>> assigned(const Statement& statement) const;

  /// A name whose value could not be found out, with what it is made of.
  void lose(const std::string& name, Range range, const SourceError& error, std::set<std::string> uses);

  /// What failed, which is then an error only to who uses it.
  std::optional<SourceError> set_aside();

  /// Whether a value is one by cell, or a function.
  bool is_maskable(const Value& value);

  Value chosen_mask();
  const Candidate* by_reading();
  Value no_mask();

  Compilation m_c;
  bool m_is_given_back = false;  ///< a return ends the text

  Index m_library;  ///< the byte from which on the text is not a person's
  std::vector<Candidate> m_candidates;
  std::optional<Candidate> m_handed;      ///< to create_block_mask
  std::optional<Candidate> m_expression;  ///< at the top of the text, or returned there
  Value m_constant;                       ///< what an expression comes to that is the same in every cell
  std::optional<SourceError> m_first_error;
};

}  // namespace vqscope::language
