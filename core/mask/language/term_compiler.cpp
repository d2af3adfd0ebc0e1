// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/term_compiler.h"

#include "core/mask/language/known_names.h"

#include <algorithm>

namespace vqscope::language {
namespace {

constexpr int max_factories = 8;  // one in the other
constexpr int most_factories_asked = 20000;

}  // namespace

void TermCompiler::make_terms(Value result) {
  for (int i = 0; i < max_factories && !failed() && result.kind == Value::Kind::callable &&
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

bool TermCompiler::makes_function(ExpressionId id, int depth) const {
  const Expression& e = at(id);
  if (e.kind == ExpressionKind::lambda) return true;
  if (e.kind == ExpressionKind::ternary) return makes_function(e.operands[1], depth);
  if (e.kind != ExpressionKind::call) return false;
  const Expression& callee = at(e.operands[0]);
  if (makes_block_mask(callee.name)) return true;
  if (callee.name == "and_masks" || callee.name == "or_masks" || callee.name == "partial") return true;
  const Value* called = callee.kind == ExpressionKind::name && m_top ? m_top->find(callee.name) : nullptr;
  return called && called->kind == Value::Kind::callable && called->callable->function &&
         is_factory(*called->callable->function, depth + 1);
}

bool TermCompiler::is_factory(const Function& function, int depth) const {
  // Functions that call one another may be many: beyond this none is taken for a factory.
  return depth < max_factories && ++m_factories_asked < most_factories_asked &&
         gives_function(function.body, function.body, depth);
}

bool TermCompiler::gives_function(const std::vector<Statement>& statements, const std::vector<Statement>& whole,
                                  int depth) const {
  const auto makes = [&](const auto& self, const std::vector<Statement>& all, const std::string& name) -> bool {
    return std::ranges::any_of(all, [&](const Statement& s) {
      if (s.kind == StatementKind::define) return function(s).name == name;
      if (s.kind == StatementKind::assign) return s.targets.front() == name && makes_function(s.value, depth);
      return self(self, s.body, name) || self(self, s.otherwise, name);
    });
  };
  return std::ranges::any_of(statements, [&](const Statement& s) {
    if (s.kind == StatementKind::give_back) {
      const Expression& given = at(s.value);
      return given.kind == ExpressionKind::name ? makes(makes, whole, given.name) : makes_function(s.value, depth);
    }
    return gives_function(s.body, whole, depth) || gives_function(s.otherwise, whole, depth);
  });
}

std::vector<const Parameter*> TermCompiler::positional(const Function& function) {
  std::vector<const Parameter*> all;
  for (const Parameter& parameter : function.parameters) {
    const bool is_owner = all.empty() && (parameter.name == "self" || parameter.name == "cls");
    if (!is_owner && !parameter.gathers) all.push_back(&parameter);
  }
  return all;
}

bool TermCompiler::is_mask(const Function& function) const {
  if (is_factory(function)) return false;
  const auto all = positional(function);
  const auto is_known = [](const Parameter* p) { return variable_of(p->name).has_value(); };
  const auto is_needed = [](const Parameter* p) { return p->fallback == no_expression; };
  if (all.size() >= 4 && std::ranges::all_of(all.begin(), all.begin() + 4, is_needed)) return true;
  const auto others = std::ranges::count_if(all, [&](const Parameter* p) { return is_needed(p) && !is_known(p); });
  return others == 0 && std::ranges::any_of(all, is_known);
}

Value TermCompiler::unfold(const Callable& factory) {
  std::vector<Argument> arguments;
  for (const Parameter& parameter : factory.function->parameters)
    if (!parameter.gathers && !failed())
      arguments.push_back({free_parameter(factory, parameter), parameter.name, parameter.range});
  return failed() ? Value{} : apply(factory, arguments, factory.function->range);
}

Value TermCompiler::free_parameter(const Callable& factory, const Parameter& parameter) {
  Value value{.kind = Value::Kind::free_name, .name = parameter.name};
  if (parameter.fallback == no_expression) return value;
  const Value fallback = expression(parameter.fallback, *factory.scope);
  if (fallback.kind == Value::Kind::nothing) {
    const bool is_array = m_text.find(parameter.name + "[") != std::string_view::npos;
    return optional_name(parameter.name, is_array, parameter.range);
  }
  const bool is_constant = fallback.kind == Value::Kind::node && node(fallback.node).op == Op::constant;
  if (!is_constant) return fallback;
  value.fallback = node(fallback.node).value;
  value.is_flag = node(fallback.node).is_bool;
  return value;
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
  const std::vector<Argument> given = arguments_of(callable, arguments);
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

std::vector<Argument> TermCompiler::arguments_of(const Callable& callable, const std::vector<Argument>& cell) {
  const Function& function = *callable.function;
  const auto all = positional(function);
  const auto is_needed = [](const Parameter* p) { return p->fallback == no_expression; };
  const bool by_position = all.size() >= 4 && std::ranges::all_of(all.begin(), all.begin() + 4, is_needed);
  std::vector<Argument> given;
  for (std::size_t i = 0; i < all.size() && !failed(); ++i) {
    const Parameter& parameter = *all[i];
    if (by_position && i < cell.size()) {
      given.push_back({cell[i].value, parameter.name, parameter.range});
      continue;
    }
    const auto known = by_position ? std::nullopt : variable_of(parameter.name);
    given.push_back({known ? variable_node(*known, parameter.range) : free_parameter(callable, parameter),
                     parameter.name, parameter.range});
  }
  if (!function.parameters.empty() && (function.parameters[0].name == "self" || function.parameters[0].name == "cls"))
    given.push_back({{.kind = Value::Kind::free_name, .name = "self"}, function.parameters[0].name, function.range});
  return given;
}

}  // namespace vqscope::language
