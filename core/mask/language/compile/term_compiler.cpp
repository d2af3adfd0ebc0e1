// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/term_compiler.h"

#include "core/mask/language/names/known_names.h"

#include <algorithm>
#include <array>

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
  if (result.kind == Value::Kind::tuple) result = mask_among(*result.items);
  if (result.kind != Value::Kind::callable) {
    return split_result(as_node(cell_of(result), m_result_range), m_result_range);
  }
  const auto arguments = mask_arguments();
  if (result.callable->kind == Callable::Kind::all_of) {
    const Callable& joined = *result.callable;
    for (std::size_t i = 0; i < joined.members.size() && !failed(); ++i) {
      const Value member = apply_mask(*joined.members[i], arguments);
      const NodeId term = as_bool(as_node(cell_of(member), joined.ranges[i]));
      if (!failed()) m_out.code.terms.push_back({joined.names[i], joined.ranges[i], term});
    }
    return;
  }
  if (result.callable->kind == Callable::Kind::written) m_result_range = result.callable->function->range;
  const Value value = apply_mask(*result.callable, arguments);
  split_result(as_node(cell_of(value), m_result_range), m_result_range);
}

/// Of an array as a mask what it says of a cell: its last sides are q and kv, those before them b and h.
Value TermCompiler::cell_of(const Value& given) {
  const Value value = as_truth(given);
  if (failed() || value.kind != Value::Kind::tensor) return value;
  const Tensor& mask = *value.tensor;
  if (mask.size() == 1) return item(mask, 0, m_result_range);
  if (mask.sides() < 2 || mask.sides() > 4)
    return fail(m_result_range, "a mask has sides q and kv, and b and h before them; this is an array of shape " +
                                    shape_text(mask.shape));
  static constexpr std::array sides{Variable::kv_idx, Variable::q_idx, Variable::h, Variable::b};
  std::vector<Subscript> subscripts;
  for (std::size_t i = mask.shape.size(); i-- > 0;) {
    // A batch of masks without heads is [B, Q, KV].
    const Variable side = mask.sides() == 3 && i == 2 ? Variable::b : sides[i];
    const bool is_one = mask.shape[mask.shape.size() - 1 - i] == 1;
    const Value index =
        is_one ? of_node(m_build.constant(0, false, m_result_range)) : variable_node(side, m_result_range);
    subscripts.push_back({.value = {index, "", m_result_range}});
  }
  return read(value.tensor, subscripts, m_result_range);
}

/// What is added to scores, 0 or -inf, as what it lets through.
Value TermCompiler::as_truth(const Value& value) {
  if (failed()) return {};
  const auto hides = [](Index number) { return number <= hiding_score; };
  if (value.kind == Value::Kind::tensor && value.tensor->is_known() && !value.tensor->is_bool) {
    const auto& numbers = value.tensor->numbers;
    const bool is_added = std::ranges::any_of(numbers, hides) && std::ranges::max(numbers) <= 0;
    if (!is_added) return value;
    Tensor seen = *value.tensor;
    seen.is_bool = true;
    for (Index& number : seen.numbers) number = hides(number) ? 0 : 1;
    return {.kind = Value::Kind::tensor, .tensor = std::make_shared<Tensor>(std::move(seen))};
  }
  if (value.kind != Value::Kind::node) return value;
  const Node n = node(value.node);
  if ((n.op != Op::where && n.op != Op::select) || n.is_bool) return value;
  const auto yes = settled(n.b), no = settled(n.c);
  if (!yes || !no || hides(*yes) == hides(*no) || *yes > 0 || *no > 0) return value;
  return hides(*no) ? of_node(n.a) : make(Op::logical_not, true, n.range, n.a);
}

/// return flex, score_mod, block_mask: the last one that is a mask.
Value TermCompiler::mask_among(const std::vector<Value>& values) const {
  for (auto value = values.rbegin(); value != values.rend(); ++value) {
    const bool is_function = value->kind == Value::Kind::callable && value->callable->kind != Callable::Kind::known;
    if (is_function && (!value->callable->function || is_mask(*value->callable->function))) return *value;
    if (value->kind == Value::Kind::tensor && value->tensor->sides() > 1) return *value;
  }
  return list_value(values);
}

bool TermCompiler::makes_function(ExpressionId id, int depth) const {
  const Expression& e = at(id);
  if (e.kind == ExpressionKind::lambda) return true;
  if (e.kind == ExpressionKind::ternary) return makes_function(e.operands[1], depth);
  if (e.kind != ExpressionKind::call) return false;
  const Expression& callee = at(e.operands[0]);
  if (language::makes_block_mask(callee.name) || attention_mask(e) != no_expression) return true;
  if (callee.name == "and_masks" || callee.name == "or_masks" || callee.name == "partial") return true;
  const Value* called = callee.kind == ExpressionKind::name && m_top ? m_top->find(callee.name) : nullptr;
  return called && called->kind == Value::Kind::callable && called->callable->function &&
         is_factory(*called->callable->function, depth + 1);
}

bool TermCompiler::is_factory(const Function& function, int depth) const {
  // Functions that call one another may be many: beyond this none is taken for a factory.
  return depth < max_factories && ++m_factories_asked < most_factories_asked &&
         (gives_function(function.body, function.body, depth) || hands_over(function.body));
}

/// Gives nothing back, and keeps what create_block_mask gives elsewhere.
bool TermCompiler::hands_over(const std::vector<Statement>& statements) const {
  const auto gives = [&](const auto& self, const std::vector<Statement>& all) -> bool {
    return std::ranges::any_of(all, [&](const Statement& s) {
      return s.kind == StatementKind::give_back || self(self, s.body) || self(self, s.otherwise);
    });
  };
  return !gives(gives, statements) && std::ranges::any_of(statements, [&](const Statement& s) {
    if (s.value == no_expression || at(s.value).kind != ExpressionKind::call) return false;
    return language::makes_block_mask(at(at(s.value).operands[0]).name);
  });
}

bool TermCompiler::gives_function(const std::vector<Statement>& statements, const std::vector<Statement>& whole,
                                  int depth) const {
  const auto target_of = [&](const Statement& s) {
    return s.kind == StatementKind::write ? at(at(s.place).operands[0]).name : s.targets.front();
  };
  int hops = 0;
  const auto makes = [&](const auto& self, const std::vector<Statement>& all, const std::string& name) -> bool {
    return std::ranges::any_of(all, [&](const Statement& s) {
      if (s.kind == StatementKind::define) return function(s).name == name;
      if (s.kind == StatementKind::assign || s.kind == StatementKind::write) {
        if (target_of(s) != name) return false;
        const Expression& given = at(s.value);  // cache[key] = mask
        const bool is_renamed = given.kind == ExpressionKind::name && given.name != name && ++hops < max_factories;
        return makes_function(s.value, depth) || (is_renamed && self(self, whole, given.name));
      }
      return self(self, s.body, name) || self(self, s.otherwise, name);
    });
  };
  return std::ranges::any_of(statements, [&](const Statement& s) {
    if (s.kind == StatementKind::give_back) {
      const auto gives = [&](ExpressionId id) {
        // return cache[key], self.mask
        while (at(id).kind == ExpressionKind::index) id = at(id).operands[0];
        const Expression& e = at(id);
        if (e.kind == ExpressionKind::name) return makes(makes, whole, e.name);
        const bool is_kept = e.kind == ExpressionKind::attribute && at(e.operands[0]).kind == ExpressionKind::name;
        return is_kept ? makes(makes, whole, e.name) || makes(makes, whole, at(e.operands[0]).name + "." + e.name)
                       : makes_function(id, depth);
      };
      // return flex, block_mask; return build(mask_mod, ...) of a function that is defined here.
      const Expression& given = at(s.value);
      if (given.kind == ExpressionKind::tuple) return std::ranges::any_of(given.operands, gives);
      if (given.kind == ExpressionKind::call && given.operands.size() > 1 &&
          at(given.operands[1]).kind == ExpressionKind::name && gives(given.operands[1]))
        return true;
      return gives(s.value);
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
  if (!all.empty() && all.front()->name == "score") return false;  // a score_mod
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
