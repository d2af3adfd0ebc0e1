// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/expression_compiler.h"

#include "core/base/text.h"

namespace vqscope::language {

Scope& ExpressionCompiler::new_scope(Scope* parent) {
  m_scopes.emplace_back();
  m_scopes.back().parent = parent;
  return m_scopes.back();
}

const Callable* ExpressionCompiler::new_callable(Callable callable) {
  m_callables.push_back(std::move(callable));
  return &m_callables.back();
}

void ExpressionCompiler::assign(const Statement& statement, Scope& scope) {
  Value value = expression(statement.value, scope);
  if (failed()) return;
  if (!statement.unpacks) return bind(scope, statement.targets.front(), std::move(value));
  if (value.kind != Value::Kind::tuple)
    return void(fail(at(statement.value).range, "only a tuple can be unpacked into several names"));
  if (value.items->size() != statement.targets.size())
    return void(fail(at(statement.value).range, to_text(static_cast<Index>(value.items->size())) +
                                                    " values cannot be unpacked into " +
                                                    to_text(static_cast<Index>(statement.targets.size())) + " names"));
  for (std::size_t i = 0; i < statement.targets.size(); ++i) bind(scope, statement.targets[i], (*value.items)[i]);
}

void ExpressionCompiler::bind(Scope& scope, const std::string& name, Value value) {
  if (&scope == m_term_scope || &scope == m_top) {
    // A name that moves on leaves what it meant before without one.
    if (const auto old = scope.names.find(name); old != scope.names.end() && old->second.kind == Value::Kind::node)
      if (const auto named = m_names.find(old->second.node); named != m_names.end() && named->second == name)
        m_names.erase(named);
    if (value.kind == Value::Kind::node && !is_named(scope, value.node)) m_names[value.node] = name;
  }
  scope.names[name] = std::move(value);
}

bool ExpressionCompiler::is_named(const Scope& scope, NodeId id) const {
  const auto named = m_names.find(id);
  if (named == m_names.end()) return false;
  const auto variable = scope.names.find(named->second);
  return variable != scope.names.end() && variable->second.kind == Value::Kind::node && variable->second.node == id;
}

void ExpressionCompiler::define(const Statement& statement, Scope& scope) {
  Value value{.kind = Value::Kind::callable};
  value.callable = new_callable({.function = &function(statement), .scope = &scope});
  scope.names[function(statement).name] = value;
}

Value ExpressionCompiler::body(const Function& function, Scope& scope) {
  for (const Statement& statement : function.body) {
    if (failed()) return {};
    switch (statement.kind) {
      case StatementKind::give_back: return expression(statement.value, scope);
      case StatementKind::assign: assign(statement, scope); break;
      case StatementKind::define: define(statement, scope); break;
      case StatementKind::expression:
        fail(statement.range, "the value of this line is not used; give it a name, or return it");
        break;
    }
  }
  return fail(function.range, shortened(function.name) + " gives nothing back; end it with return");
}

}  // namespace vqscope::language
