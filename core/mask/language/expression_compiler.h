// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/code_writer.h"

#include <array>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace vqscope::language {

/// Expressions and the bodies of functions, put in place where they are called.
class ExpressionCompiler : protected CodeWriter {
 protected:
  ExpressionCompiler(std::string_view text, const Syntax& syntax) : CodeWriter(text), m_syntax(syntax) {}

  const Expression& at(ExpressionId id) const { return m_syntax.at(id); }
  const Function& function(const Statement& statement) const {
    return m_syntax.functions[static_cast<std::size_t>(statement.function)];
  }

  Scope& new_scope(Scope* parent);

  // Statements: statement_compiler.cpp.

  /// Carries a statement out in its scope.
  void assign(const Statement& statement, Scope& scope);
  void define(const Statement& statement, Scope& scope);

  /// What the body of a function gives back.
  Value body(const Function& function, Scope& scope);

  // Operators: expression_compiler.cpp.

  Value expression(ExpressionId id, Scope& scope);

  // Functions: function_compiler.cpp.

  /// What a function gives for some arguments.
  Value apply(const Callable& callable, const std::vector<Argument>& arguments, Range range);

  /// Gives a function's parameters their values in its scope.
  void bind_arguments(const Function& function, const Callable& callable, const std::vector<Argument>& arguments,
                      Range range, Scope& scope);

  const Syntax& m_syntax;
  Scope* m_top = nullptr;
  Scope* m_term_scope = nullptr;          ///< of the function that is the mask
  int m_calls = 0;                        ///< that are being put in place
  std::vector<const Function*> m_active;  ///< of these the written ones
  std::map<NodeId, std::string> m_names;  ///< of nodes that a variable or a call names
  std::set<NodeId> m_chains;              ///< what a < b < c ends in: one condition

 private:
  // Statements: statement_compiler.cpp.

  /// Gives a name its value, and its node the name where that names a term.
  void bind(Scope& scope, const std::string& name, Value value);

  /// Whether a variable has given a node its name, which it keeps when it gets another one.
  bool is_named(const Scope& scope, NodeId id) const;
  const Callable* new_callable(Callable callable);

  // Operators: expression_compiler.cpp.

  Value name(const std::string& name, Range range, Scope& scope);

  /// An integer or a truth value; no_node after an error.
  NodeId operand(ExpressionId id, Scope& scope);
  Value unary(const Expression& e, Scope& scope);
  Value binary(const Expression& e, Scope& scope);

  /// Of truth values it is one again.
  Value bitwise(const Expression& e, Op op, NodeId a, NodeId b);
  Value comparison(const Expression& e, Scope& scope);

  /// Of the operands i and i + 1 of a chain.
  Value compare(const Expression& e, std::size_t i, NodeId left, NodeId right);
  Value junction(const Expression& e, Scope& scope);
  Value negation(const Expression& e, Scope& scope);

  /// condition, yes, no
  Value choice(Op op, const Expression& e, std::array<NodeId, 3> operands);

  // Arrays and tuples: element_compiler.cpp.

  Value element(const Expression& e, Scope& scope);

  /// x[b][kv_idx]: the values given are those of this b.
  bool is_batch_name(ExpressionId id, Scope& scope);
  bool is_batch(NodeId id) const;
  Value of_tuple(const Value& tuple, NodeId index, Range range);

  // Calls: call_compiler.cpp.

  Value call(const Expression& e, Scope& scope);

  /// The operands of a call from `first` on.
  std::vector<Argument> read_arguments(const Expression& e, std::size_t first, Scope& scope);

  /// A call of a name that the text gives no meaning, and of a.name.
  Value call_plain(const Expression& e, const Expression& callee, Scope& scope);
  Value call_attribute(const Expression& e, const Expression& callee, Scope& scope);

  /// .to(torch.bool) asks whether it is not zero; devices and other integers change nothing.
  Value converted(const Expression& e, const Argument& object);

  /// One of the known functions of known_names.h.
  Value apply_known(const std::string& name, const Expression& e, const std::vector<Argument>& arguments);

  /// minimum, maximum and the like of two values or more.
  Value extreme(const std::string& name, const Expression& e, const std::vector<NodeId>& nodes);

  /// min(max(x, low), high), either end may be missing.
  Value clamp(const Expression& e, const std::vector<Argument>& arguments);

  // Functions: function_compiler.cpp.

  /// and_masks(...) and or_masks(...)
  Value join_masks(const Expression& e, bool all, Scope& scope);

  /// All are asked: FlexAttention joins with & and |.
  Value apply_joined(const Callable& callable, const std::vector<Argument>& arguments, Range range);

  std::deque<Scope> m_scopes;
  std::deque<Callable> m_callables;
  Index m_steps = 0;
  std::set<NodeId> m_compared;
};

}  // namespace vqscope::language
