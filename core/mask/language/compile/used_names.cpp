// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/used_names.h"

namespace vqscope::language {

std::set<std::string> names_in(const Syntax& syntax, const std::vector<Statement>& all) {
  std::set<std::string> names;
  for (const Statement& statement : all) {
    if (statement.value != no_expression) add_names(syntax, statement.value, names);
    names.merge(names_in(syntax, statement.body));
    names.merge(names_in(syntax, statement.otherwise));
    if (statement.kind == StatementKind::define)
      names.merge(names_in(syntax, syntax.functions[static_cast<std::size_t>(statement.function)].body));
  }
  return names;
}

void add_names(const Syntax& syntax, ExpressionId id, std::set<std::string>& names) {
  const Expression& e = syntax.at(id);
  if (e.kind == ExpressionKind::name) names.insert(e.name);
  if (e.kind == ExpressionKind::lambda)
    names.merge(names_in(syntax, syntax.functions[static_cast<std::size_t>(e.value)].body));
  for (const ExpressionId operand : e.operands) add_names(syntax, operand, names);
}

}  // namespace vqscope::language
