// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/used_names.h"

#include <algorithm>
#include <array>

namespace vqscope::language {
namespace {

/// Methods and attributes of arrays that are rarely used on a number.
constexpr std::array array_methods{
    "cumsum",  "numel",   "ndim", "dim", "tolist", "roll", "diff", "nonzero", "unique", "flip", "repeat_interleave",
    "argsort", "bincount"};
constexpr std::array array_functions{"cumsum", "repeat_interleave", "diff",     "nonzero", "unique", "roll", "flip",
                                     "pad",    "argsort",           "bincount", "tril",    "triu"};

template <class Names>
bool is_in(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// The name at the root of an expression: x in x == 3, x.long(), x[0], -x.
const std::string* root_of(const Syntax& syntax, ExpressionId id) {
  for (const Expression* e = &syntax.at(id);;) {
    if (e->kind == ExpressionKind::name) return &e->name;
    const bool follows = e->kind == ExpressionKind::attribute || e->kind == ExpressionKind::call ||
                         e->kind == ExpressionKind::index || e->kind == ExpressionKind::unary ||
                         e->kind == ExpressionKind::binary || e->kind == ExpressionKind::compare;
    if (!follows || e->operands.empty()) return nullptr;
    e = &syntax.at(e->operands[0]);
  }
}

}  // namespace

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

std::set<std::string> array_names(const Syntax& syntax) {
  std::set<std::string> names;
  const auto add = [&](ExpressionId id) {
    if (const std::string* root = root_of(syntax, id)) names.insert(*root);
  };
  for (const Expression& e : syntax.expressions) {
    if (e.kind == ExpressionKind::attribute && is_in(array_methods, e.name)) add(e.operands[0]);
    if (e.kind != ExpressionKind::call || e.operands.size() < 2) continue;
    if (is_in(array_functions, syntax.at(e.operands[0]).name)) add(e.operands[1]);
  }
  for (const Function& function : syntax.functions)
    for (const Parameter& parameter : function.parameters)
      if (parameter.is_tensor) names.insert(parameter.name);
  return names;
}

std::map<std::string, std::size_t> sliced_names(const Syntax& syntax) {
  std::map<std::string, std::size_t> names;
  for (const Expression& e : syntax.expressions) {
    if (e.kind != ExpressionKind::index || syntax.at(e.operands[0]).kind != ExpressionKind::name) continue;
    const std::vector<ExpressionId> places(e.operands.begin() + 1, e.operands.end());
    const auto is = [&](ExpressionKind kind) {
      return [&syntax, kind](ExpressionId id) { return syntax.at(id).kind == kind; };
    };
    if (std::ranges::none_of(places, is(ExpressionKind::slice))) continue;
    const auto others = std::ranges::count_if(places, is(ExpressionKind::nothing)) +
                        std::ranges::count_if(places, is(ExpressionKind::ellipsis));
    std::size_t& sides = names[syntax.at(e.operands[0]).name];
    sides = std::max(sides, places.size() - static_cast<std::size_t>(others));
  }
  return names;
}

std::set<std::string> operand_names(const Syntax& syntax) {
  std::set<std::string> names;
  for (const Expression& e : syntax.expressions)
    if (e.kind == ExpressionKind::binary || e.kind == ExpressionKind::compare)
      for (const ExpressionId operand : e.operands)
        if (syntax.at(operand).kind == ExpressionKind::name) names.insert(syntax.at(operand).name);
  return names;
}

}  // namespace vqscope::language
