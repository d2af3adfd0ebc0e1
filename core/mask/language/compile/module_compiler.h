// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"
#include "core/mask/language/compile/given.h"
#include "core/mask/language/parse/syntax.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vqscope::language {

/// Compiles the text as a whole. Its mask is the function passed to create_block_mask; else the
/// expression that the text ends in; else the last function of (b, h, q_idx, kv_idx) that no other
/// function of the text uses. Statements that are not the mask and that the mask does not use may
/// be anything.
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
    std::set<std::string> uses;  ///< names that it uses
  };

  void statements(const std::vector<Statement>& all);
  void statement(const Statement& statement);

  /// Whether an error of the statement is one of the whole text: an assert, a raise, or a return in
  /// a statement that cannot be read. Errors of other statements concern only users of the names
  /// they assign.
  static bool ends_the_text(const Statement& statement);

  /// Whether the statement contains a return.
  bool gives_back(const Statement& statement) const;

  /// The branch that is taken in every cell; null: none.
  const std::vector<Statement>* known_way(const Statement& statement);

  /// The mask that the last statements of the text return, possibly depending on the cell.
  void finish(std::vector<Statement> rest);

  void assignment(const Statement& statement);
  void expression_statement(const Statement& statement);
  void definition(const Statement& statement);

  /// Whether neither the text nor the mask language defines the function.
  bool is_foreign(const Expression& callee) const;

  /// `WINDOW = 512`: a parameter with a default. False: the statement is something else.
  bool assign_parameters(const Statement& statement);

  /// The function passed to `create_block_mask(f, ...)`; none if the expression is not such a call.
  ExpressionId handed_over(ExpressionId id) const;
  void hand_over(ExpressionId mask);

  /// The names that a statement assigns, also in nested statements.
  std::vector<std::pair<std::string, Range>> assigned(const Statement& statement) const;

  /// Marks a name whose value could not be determined, with the names that it uses.
  void lose(const std::string& name, Range range, const SourceError& error, std::set<std::string> uses);

  /// Takes the current error, which then concerns only users of the failed names.
  std::optional<SourceError> set_aside();

  /// Whether a value differs by cell, or is a function.
  bool is_maskable(const Value& value);

  Value chosen_mask();
  const Candidate* by_reading();
  Value no_mask();

  /// The parameters without a value of a function of arrays: its arrays, else its integers. They
  /// are free names of the text from then on.
  std::vector<std::string> parameters_to_give(const Function& defined);

  /// The array that a function of arrays returns; its parameters are free names.
  Value returned_array(const Function& defined);

  Compilation m_c;
  bool m_is_given_back = false;  ///< a return ends the text

  Index m_library;  ///< the byte at which the library's sources begin
  std::vector<Candidate> m_candidates;
  std::optional<Candidate> m_handed;      ///< to create_block_mask
  std::optional<Candidate> m_expression;  ///< at the top of the text, or returned there
  Value m_constant;                       ///< the value of an expression that is the same in every cell
  std::optional<SourceError> m_first_error;
};

/// Resolves names, expands functions and splits the mask into terms. What begins at or after byte
/// `library` of the text is only for use by the text and not a mask itself.
Compiled compile(std::string_view text, const Syntax& syntax, const Given& given, Index library);

}  // namespace vqscope::language
