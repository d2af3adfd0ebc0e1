// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/term_compiler.h"

#include "core/mask/language/constant_expression.h"
#include "core/mask/language/known_names.h"

#include <algorithm>

namespace vqscope::language {

void TermCompiler::make_terms(Value result) {
  for (int i = 0; i < 8 && !failed() && result.kind == Value::Kind::callable &&
                  result.callable->kind == Callable::Kind::written && is_factory(*result.callable->function);
       ++i)
    result = unfold(*result.callable);
  if (failed()) return;
  if (result.kind != Value::Kind::callable) {
    return split_result(as_node(result, m_result_range), m_result_range);
  }
  const auto arguments = mask_arguments();
  if (result.callable->kind == Callable::Kind::all_of) {
    const Callable& joined = *result.callable;
    for (std::size_t i = 0; i < joined.members.size() && !failed(); ++i) {
      const Value member = apply_mask(*joined.members[i], arguments);
      const NodeId term = as_bool(as_node(member, joined.ranges[i]));
      if (!failed()) m_out.code.terms.push_back({joined.names[i], joined.ranges[i], term});
    }
    return;
  }
  if (result.callable->kind == Callable::Kind::written) m_result_range = result.callable->function->range;
  const Value value = apply_mask(*result.callable, arguments);
  split_result(as_node(value, m_result_range), m_result_range);
}

bool TermCompiler::makes_function(const Expression& e) const {
  if (e.kind != ExpressionKind::call) return e.kind == ExpressionKind::lambda;
  const Expression& callee = at(e.operands[0]);
  return callee.kind == ExpressionKind::name && (callee.name == "and_masks" || callee.name == "or_masks");
}

bool TermCompiler::is_factory(const Function& function) const {
  if (function.body.empty() || function.body.back().kind != StatementKind::give_back) return false;
  const Expression& given = at(function.body.back().value);
  if (makes_function(given)) return true;
  if (given.kind != ExpressionKind::name) return false;
  return std::ranges::any_of(function.body, [&](const Statement& s) {
    if (s.kind == StatementKind::define) return this->function(s).name == given.name;
    return s.kind == StatementKind::assign && s.targets.front() == given.name && makes_function(at(s.value));
  });
}

Value TermCompiler::unfold(const Callable& factory) {
  std::vector<Argument> arguments;
  for (const Parameter& parameter : factory.function->parameters) {
    Value value{.kind = Value::Kind::free_name, .name = parameter.name};
    if (parameter.fallback != no_expression) value.fallback = constant_of(m_syntax, parameter.fallback);
    arguments.push_back({value, "", parameter.range});
  }
  return apply(factory, arguments, factory.function->range);
}

std::vector<Argument> TermCompiler::mask_arguments() {
  std::vector<Argument> arguments;
  for (const Variable v : {Variable::b, Variable::h, Variable::q_idx, Variable::kv_idx})
    arguments.push_back({variable_node(v, m_result_range), "", m_result_range});
  return arguments;
}

Value TermCompiler::apply_mask(const Callable& callable, const std::vector<Argument>& arguments) {
  if (callable.kind != Callable::Kind::written) return apply(callable, arguments, m_result_range);
  const Function& function = *callable.function;
  const bool by_position = function.parameters.size() == 4;
  const std::vector<Argument> given = by_position ? arguments : arguments_of(function);
  if (failed()) return {};
  if (m_calls >= max_calls) return fail(function.range, "functions call one another too deep");
  Scope& scope = new_scope(callable.scope);
  bind_arguments(function, callable, given, function.range, scope);
  if (failed()) return {};
  m_term_scope = &scope;
  ++m_calls;
  m_active.push_back(&function);
  Value value = body(function, scope);
  m_active.pop_back();
  --m_calls;
  m_term_scope = nullptr;
  if (value.kind == Value::Kind::node) m_result_range = node(value.node).range;
  return value;
}

std::vector<Argument> TermCompiler::arguments_of(const Function& function) {
  std::vector<Argument> given;
  for (const Parameter& parameter : function.parameters) {
    const auto known = variable_of(parameter.name);
    if (!known && parameter.fallback == no_expression) {
      fail(parameter.range,
           "the mask " + function.name + " takes (b, h, q_idx, kv_idx), found the parameter " + parameter.name);
      return {};
    }
    if (known) given.push_back({variable_node(*known, parameter.range), parameter.name, parameter.range});
  }
  return given;
}

}  // namespace vqscope::language
