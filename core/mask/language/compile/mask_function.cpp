// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/mask_function.h"

#include "core/mask/language/code/library.h"
#include "core/mask/language/code/true_line.h"
#include "core/mask/language/compile/tensor/tensor_access.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/compile/terms.h"
#include "core/mask/language/compile/tree/tree.h"
#include "core/mask/language/names/known_names.h"

#include <algorithm>
#include <array>

namespace vqscope::language {
namespace {

constexpr int max_factories = 8;  // one in the other
constexpr Index hides_alone = -100;
constexpr int most_factories_tried = 20000;

/// The numbers up to which a key is masked in an array that is added to scores; nothing: it is none. Beside 0 alone,
/// -100 leaves no weight.
std::optional<Index> hiding_up_to(const std::vector<Index>& numbers) {
  if (numbers.empty()) return std::nullopt;
  const Index low = std::ranges::min(numbers);
  const Index high = std::ranges::max(numbers);
  const bool is_pair = high == 0 && low <= hides_alone &&
                       std::ranges::all_of(numbers, [&](Index number) { return number == 0 || number == low; });
  if (is_pair) return low;
  return high <= 0 && low <= hiding_score ? std::optional(hiding_score) : std::nullopt;
}

/// Turns a value added to scores, 0 or -inf, into a truth value.
Value as_truth(Compilation& c, const Value& value) {
  if (c.failed()) return {};
  if (value.kind == Value::Kind::tensor && value.tensor->is_known() && !value.tensor->is_bool) {
    const auto limit = hiding_up_to(value.tensor->numbers);
    if (!limit) return value;
    const auto hides = [&](Index number) { return number <= *limit; };
    Tensor seen = *value.tensor;
    seen.is_bool = true;
    for (Index& number : seen.numbers) number = hides(number) ? 0 : 1;
    return {.kind = Value::Kind::tensor, .tensor = std::make_shared<Tensor>(std::move(seen))};
  }
  if (value.kind != Value::Kind::node) return value;
  const Node n = c.node(value.node);
  if ((n.op != Op::where && n.op != Op::select) || n.is_bool) return value;
  const auto yes = c.settled(n.b), no = c.settled(n.c);
  const auto hides = [](Index number) { return number <= hides_alone; };
  if (!yes || !no || hides(*yes) == hides(*no) || *yes > 0 || *no > 0) return value;
  return hides(*no) ? c.of_node(n.a) : c.make(Op::logical_not, true, n.range, n.a);
}

/// The element for a cell of an array that is a mask: its last dimensions are q and kv, those
/// before b and h.
Value cell_of(Compilation& c, const Value& given) {
  Value value = as_truth(c, given);
  if (c.failed() || value.kind != Value::Kind::tensor) return value;
  const Tensor& mask = *value.tensor;
  if (mask.size() == 1) return element_at(c, mask, 0, c.result_range);
  if (mask.sides() < 2 || mask.sides() > 4)
    return c.fail(c.result_range,
                  "a mask has the dimensions q and kv, and b and h before them; this is an array of shape " +
                      shape_text(mask.shape));
  if (const auto joined = broadcast(c.out.code.shape, mask.shape)) c.out.code.shape = *joined;
  static constexpr std::array sides{Variable::kv_idx, Variable::q_idx, Variable::h, Variable::b};
  std::vector<Subscript> subscripts;
  for (std::size_t i = mask.shape.size(); i-- > 0;) {
    // A batch of masks without heads is [B, Q, KV].
    const Variable side = mask.sides() == 3 && i == 2 ? Variable::b : sides[i];
    const bool is_one = mask.shape[mask.shape.size() - 1 - i] == 1;
    const Value index =
        is_one ? c.of_node(c.build.constant(0, false, c.result_range)) : c.variable_node(side, c.result_range);
    subscripts.push_back({.value = {index, "", c.result_range}});
  }
  return read_elements(c, value.tensor, subscripts, c.result_range);
}

/// return flex, score_mod, block_mask: the last one that is a mask.
Value mask_among(Compilation& c, const std::vector<Value>& values) {
  for (auto value = values.rbegin(); value != values.rend(); ++value) {
    const bool is_function = value->kind == Value::Kind::callable && value->callable->kind != Callable::Kind::known;
    if (is_function && (!value->callable->function || is_mask(c, *value->callable->function))) return *value;
    if (value->kind == Value::Kind::tensor && value->tensor->sides() > 1) return *value;
  }
  return c.list_value(values);
}

/// A lambda, joined masks, or the result of a factory.
bool makes_function(Compilation& c, ExpressionId id, int depth) {
  const Expression& e = c.at(id);
  if (e.kind == ExpressionKind::lambda) return true;
  if (e.kind == ExpressionKind::ternary) return makes_function(c, e.operands[1], depth);
  if (e.kind != ExpressionKind::call) return false;
  const Expression& callee = c.at(e.operands[0]);
  if (language::makes_block_mask(callee.name) || attention_mask(c, e) != no_expression) return true;
  if (callee.name == "and_masks" || callee.name == "or_masks" || callee.name == "partial") return true;
  const bool is_named = callee.kind == ExpressionKind::name ||
                        (callee.kind == ExpressionKind::attribute && is_library_function(callee.name));
  const Value* called = is_named && c.top ? c.top->find(callee.name) : nullptr;
  return called && called->kind == Value::Kind::callable && called->callable->function &&
         is_factory(c, *called->callable->function, depth + 1);
}

/// Whether the statements return nothing and keep the result of create_block_mask elsewhere.
bool hands_over(const Compilation& c, const std::vector<Statement>& statements) {
  const auto gives = [&](const auto& self, const std::vector<Statement>& all) -> bool {
    return std::ranges::any_of(all, [&](const Statement& s) {
      return s.kind == StatementKind::give_back || self(self, s.body) || self(self, s.otherwise);
    });
  };
  return !gives(gives, statements) && std::ranges::any_of(statements, [&](const Statement& s) {
    if (s.value == no_expression || c.at(s.value).kind != ExpressionKind::call) return false;
    return language::makes_block_mask(c.at(c.at(s.value).operands[0]).name);
  });
}

bool gives_function(Compilation& c, const std::vector<Statement>& statements, const std::vector<Statement>& whole,
                    int depth) {
  const auto target_of = [&](const Statement& s) {
    return s.kind == StatementKind::write ? c.at(c.at(s.place).operands[0]).name : s.targets.front();
  };
  int hops = 0;
  const auto makes = [&](const auto& self, const std::vector<Statement>& all, const std::string& name) -> bool {
    return std::ranges::any_of(all, [&](const Statement& s) {
      if (s.kind == StatementKind::define) return c.function(s).name == name;
      if (s.kind == StatementKind::assign || s.kind == StatementKind::write) {
        if (target_of(s) != name) return false;
        const Expression& given = c.at(s.value);  // cache[key] = mask
        const bool is_renamed = given.kind == ExpressionKind::name && given.name != name && ++hops < max_factories;
        return makes_function(c, s.value, depth) || (is_renamed && self(self, whole, given.name));
      }
      return self(self, s.body, name) || self(self, s.otherwise, name);
    });
  };
  return std::ranges::any_of(statements, [&](const Statement& s) {
    if (s.kind == StatementKind::give_back) {
      const auto gives = [&](ExpressionId id) {
        // return cache[key], self.mask
        while (c.at(id).kind == ExpressionKind::index) id = c.at(id).operands[0];
        const Expression& e = c.at(id);
        if (e.kind == ExpressionKind::name) return makes(makes, whole, e.name);
        const bool is_kept = e.kind == ExpressionKind::attribute && c.at(e.operands[0]).kind == ExpressionKind::name;
        return is_kept ? makes(makes, whole, e.name) || makes(makes, whole, c.at(e.operands[0]).name + "." + e.name)
                       : makes_function(c, id, depth);
      };
      // return flex, block_mask; return build(mask_mod, ...) of a function that is defined here.
      const Expression& given = c.at(s.value);
      if (given.kind == ExpressionKind::tuple) return std::ranges::any_of(given.operands, gives);
      if (given.kind == ExpressionKind::call && given.operands.size() > 1 &&
          c.at(given.operands[1]).kind == ExpressionKind::name && gives(given.operands[1]))
        return true;
      return gives(s.value);
    }
    return gives_function(c, s.body, whole, depth) || gives_function(c, s.otherwise, whole, depth);
  });
}

/// The parameters without self, *args and **kwargs.
std::vector<const Parameter*> positional(const Function& function) {
  std::vector<const Parameter*> all;
  for (const Parameter& parameter : function.parameters) {
    const bool is_owner = all.empty() && (parameter.name == "self" || parameter.name == "cls");
    if (!is_owner && !parameter.gathers) all.push_back(&parameter);
  }
  return all;
}

/// A parameter of a factory as a free name, with its default in the text.
Value free_parameter(Compilation& c, const Callable& factory, const Parameter& parameter) {
  Value value{.kind = Value::Kind::free_name, .name = parameter.name};
  if (parameter.default_value == no_expression) return value;
  Value given = default_value(c, factory, parameter);
  if (c.failed()) return {};
  if (c.words.names.contains(parameter.name))
    if (auto written = c.written_default(given, c.at(parameter.default_value).range))
      return c.word_value(parameter.name, std::move(written), parameter.range);
  if (given.kind == Value::Kind::nothing) {
    const bool is_array = c.text.find(parameter.name + "[") != std::string_view::npos;
    return c.optional_name(parameter.name, is_array, parameter.range);
  }
  const bool is_constant = given.kind == Value::Kind::node && c.node(given.node).op == Op::constant;
  if (!is_constant) return given;
  value.default_value = c.node(given.node).value;
  value.is_flag = c.node(given.node).is_bool;
  return value;
}

/// b, h, q_idx, kv_idx
std::vector<Argument> mask_arguments(Compilation& c) {
  std::vector<Argument> arguments;
  for (const Variable v : {Variable::b, Variable::h, Variable::q_idx, Variable::kv_idx})
    arguments.push_back({c.variable_node(v, c.result_range), "", c.result_range});
  return arguments;
}

std::vector<Argument> arguments_of(Compilation& c, const Callable& callable, const std::vector<Argument>& cell) {
  const Function& function = *callable.function;
  const auto all = positional(function);
  const auto is_needed = [](const Parameter* p) { return p->default_value == no_expression; };
  const bool by_position = all.size() >= 4 && std::ranges::all_of(all.begin(), all.begin() + 4, is_needed);
  std::vector<Argument> given;
  for (std::size_t i = 0; i < all.size() && !c.failed(); ++i) {
    const Parameter& parameter = *all[i];
    if (by_position && i < cell.size()) {
      given.push_back({cell[i].value, parameter.name, parameter.range});
      continue;
    }
    const auto known = by_position ? std::nullopt : variable_of(parameter.name);
    given.push_back({known ? c.variable_node(*known, parameter.range) : free_parameter(c, callable, parameter),
                     parameter.name, parameter.range});
  }
  if (!function.parameters.empty() && (function.parameters[0].name == "self" || function.parameters[0].name == "cls"))
    given.push_back({{.kind = Value::Kind::free_name, .name = "self"}, function.parameters[0].name, function.range});
  return given;
}

/// The first four parameters are b, h, q_idx, kv_idx by position, or else those whose names are
/// known; the others are free names.
Value apply_mask(Compilation& c, const Callable& callable, const std::vector<Argument>& arguments) {
  if (callable.kind != Callable::Kind::written) return apply(c, callable, arguments, c.result_range);
  const Function& function = *callable.function;
  const std::vector<Argument> given = arguments_of(c, callable, arguments);
  if (c.failed()) return {};
  if (c.calls >= max_calls) return c.fail(function.range, "functions call one another too deeply");
  Scope& scope = c.new_scope(callable.scope);
  bind_arguments(c, function, callable, given, function.range, scope);
  if (c.failed()) return {};
  c.term_scope = &scope;
  ++c.calls;
  c.active.push_back(&function);
  Value value = compile_body(c, function, scope);
  c.active.pop_back();
  --c.calls;
  c.term_scope = nullptr;
  if (value.kind == Value::Kind::node) c.result_range = c.node(value.node).range;
  return value;
}

}  // namespace

Value unfold(Compilation& c, const Callable& factory) {
  std::vector<Argument> arguments;
  for (const Parameter& parameter : factory.function->parameters)
    if (!parameter.gathers && !c.failed())
      arguments.push_back({free_parameter(c, factory, parameter), parameter.name, parameter.range});
  return c.failed() ? Value{} : apply(c, factory, arguments, factory.function->range);
}

void make_terms(Compilation& c, Value result) {
  for (int i = 0; i < max_factories && !c.failed() && result.kind == Value::Kind::callable &&
                  result.callable->kind == Callable::Kind::written && is_factory(c, *result.callable->function);
       ++i) {
    c.out.code.functions.push_back(result.callable->function->name);
    result = unfold(c, *result.callable);
  }
  if (c.failed()) return;
  if (result.kind == Value::Kind::tuple) result = mask_among(c, *result.items);
  if (result.kind != Value::Kind::callable) {
    return split_result(c, c.as_node(cell_of(c, result), c.result_range), c.result_range);
  }
  const auto arguments = mask_arguments(c);
  if (result.callable->kind == Callable::Kind::all_of) {
    const Callable& joined = *result.callable;
    const bool inverts = is_true_masked(c.text);
    NodeId all = no_node;
    for (std::size_t i = 0; i < joined.members.size() && !c.failed(); ++i) {
      const Value member = apply_mask(c, *joined.members[i], arguments);
      const NodeId term = c.as_bool(c.as_node(cell_of(c, member), joined.ranges[i]));
      if (c.failed()) return;
      if (inverts)
        all = all == no_node ? term : c.make(Op::logical_and, true, joined.ranges[i], all, term).node;
      else
        c.out.code.terms.push_back({joined.names[i], joined.ranges[i], term});
    }
    return inverts && all != no_node ? split_result(c, all, c.result_range) : void();
  }
  if (result.callable->kind == Callable::Kind::written) {
    c.result_range = result.callable->function->range;
    c.out.code.functions.push_back(result.callable->function->name);
  }
  const Value value = apply_mask(c, *result.callable, arguments);
  split_result(c, c.as_node(cell_of(c, value), c.result_range), c.result_range);
}

bool is_factory(Compilation& c, const Function& function, int depth) {
  // There may be many functions that call one another: beyond this limit none is treated as a
  // factory.
  return depth < max_factories && ++c.factories_tried < most_factories_tried &&
         (gives_function(c, function.body, function.body, depth) || hands_over(c, function.body));
}

bool is_mask(Compilation& c, const Function& function) {
  if (is_factory(c, function)) return false;
  const auto all = positional(function);
  if (!all.empty() && all.front()->name == "score") return false;  // a score_mod
  const auto is_known = [](const Parameter* p) { return variable_of(p->name).has_value(); };
  const auto is_needed = [](const Parameter* p) { return p->default_value == no_expression; };
  if (all.size() >= 4 && std::ranges::all_of(all.begin(), all.begin() + 4, is_needed)) return true;
  const auto others = std::ranges::count_if(all, [&](const Parameter* p) { return is_needed(p) && !is_known(p); });
  return others == 0 && std::ranges::any_of(all, is_known);
}

}  // namespace vqscope::language
