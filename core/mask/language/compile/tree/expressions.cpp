// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/tree/tree.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/names/known_names.h"
#include "core/mask/language/parse/arithmetic.h"
#include "core/mask/language/parse/operators.h"

#include <algorithm>

namespace vqscope::language {
namespace {

/// f"w{window}": names with a number or a text are filled in.
Value compile_text(Compilation& c, const Expression& e, Scope& scope) {
  Value made{.kind = Value::Kind::text};
  std::string_view rest = e.name;
  while (!rest.empty()) {
    const auto open = std::min(rest.find('{'), rest.size());
    const auto close = std::min(rest.find('}', open), rest.size());
    made.name += rest.substr(0, open);
    if (open == rest.size()) break;
    const std::string inside(rest.substr(open + 1, close - std::min(open + 1, close)));
    const Value* found = scope.find(inside);
    const auto known = found && found->kind == Value::Kind::node ? c.settled(found->node) : std::nullopt;
    const bool is_text = found && found->kind == Value::Kind::text;
    made.is_flag = made.is_flag || (!known && !is_text);
    made.name += known ? to_text(*known) : is_text ? found->name : "{" + inside + "}";
    rest.remove_prefix(std::min(close + 1, rest.size()));
  }
  return made;
}

Value compile_name(Compilation& c, const std::string& name, Range range, Scope& scope) {
  if (const Value* found = scope.find(name)) {
    if (found->kind == Value::Kind::broken && !c.failed()) c.out.error = *found->error;
    if (c.failed()) return {};
    const bool is_word = found->kind == Value::Kind::free_name && c.is_word(found->name);
    return is_word ? c.word_value(found->name, c.written_default(*found, range), range) : *found;
  }
  if (const auto variable = variable_of(name)) return c.variable_node(*variable, range);
  if (language::makes_block_mask(name)) {
    Value value{.kind = Value::Kind::callable, .name = name};
    value.callable = c.new_callable({.kind = Callable::Kind::known, .names = {name}});
    return value;
  }
  if (name == "__name__") return {.kind = Value::Kind::text, .name = "__main__"};
  if (is_module(name))
    return c.fail(range, "{} is not a value; write {}.where(...), {}.minimum(...)", name, name, name);
  if (std::ranges::find(plain_functions(), name) != plain_functions().end()) {
    Value value{.kind = Value::Kind::callable, .name = name};
    value.callable = c.new_callable({.kind = Callable::Kind::known, .names = {name}});
    return value;
  }
  if (c.kept.contains(name)) {
    const auto [kept, is_new] = c.caches.try_emplace(name);
    if (is_new) kept->second = new_dictionary(c);
    return kept->second;
  }
  return c.is_word(name) ? c.word_value(name, {}, range) : Value{.kind = Value::Kind::free_name, .name = name};
}

/// cfg.window, cfg.attention.window of a SimpleNamespace; nothing: the owner is none.
std::optional<Value> attribute_of_namespace(Compilation& c, const Expression& e, Scope& scope) {
  const Expression& root = c.syntax.owner_of(e);
  const Value* known = root.kind == ExpressionKind::name ? scope.find(root.name) : nullptr;
  const bool may_be = known && known->kind == Value::Kind::dictionary;
  if (!may_be) return std::nullopt;
  const Value owner = compile_expression(c, e.operands[0], scope);
  if (c.failed() || owner.kind != Value::Kind::dictionary || owner.name != attributes_of) return std::nullopt;
  return item_at(c, owner, {{.kind = Value::Kind::text, .name = e.name}, "", e.range});
}

/// torch.inf, torch.bool; a function as a value.
Value module_member(Compilation& c, const Expression& e, const std::string& module) {
  if (is_function(e.name)) {
    Value value{.kind = Value::Kind::callable, .name = e.name};
    value.callable = c.new_callable({.kind = Callable::Kind::known, .names = {e.name}});
    return value;
  }
  if (e.name == "inf") return c.number_value(-lowest_score, e.range);
  for (const char* type : {"bool", "int", "float", "long", "half", "double", "bfloat", "uint"})
    if (e.name.starts_with(type)) return {.kind = Value::Kind::text, .name = e.name};
  return c.fail(e.range, "{}.{} is not a value of the mask language", module, shortened(e.name));
}

/// self.window and cfg.window are the free name window, unless the text has given them a value.
Value compile_attribute(Compilation& c, const Expression& e, Scope& scope) {
  if (const std::string* member = enum_member(c.words, c.syntax, e))
    return {.kind = Value::Kind::text, .name = *member};
  const Expression& object = c.at(e.operands[0]);
  if (object.kind == ExpressionKind::name) {
    if (const Value* set = scope.find(object.name + "." + e.name)) return *set;
    // An attribute that the text sets if it is None begins as None.
    if (c.made_once.contains(object.name + "." + e.name)) return {.kind = Value::Kind::nothing};
    if (is_module(object.name) && !scope.find(object.name)) return module_member(c, e, object.name);
  }
  if (e.name == "device") return {.kind = Value::Kind::nothing};
  const bool is_type_info = object.kind == ExpressionKind::call && c.at(object.operands[0]).name == "finfo";
  if (is_type_info && (e.name == "min" || e.name == "max"))
    return c.number_value(e.name == "min" ? lowest_score : -lowest_score, e.range);
  for (const char* of_array : {"shape", "dtype", "ndim", "T", "mT", "values", "indices"}) {
    const bool may_be_name = e.name != "shape" && e.name != "dtype" && e.name != "ndim";
    if (e.name != of_array || (may_be_name && object.kind == ExpressionKind::name && !scope.find(object.name)))
      continue;
    const Value owner = compile_expression(c, e.operands[0], scope);
    if (c.failed()) return {};
    if (!may_be_name || is_tensor(c, owner) || owner.kind == Value::Kind::tuple)
      return array_attribute(c, e.name, {owner, "", object.range}, e.range);
  }
  if (const auto owned = attribute_of_namespace(c, e, scope)) return *owned;
  if (c.failed()) return {};
  const bool is_owner = object.kind == ExpressionKind::attribute ||
                        (object.kind == ExpressionKind::name && !scope.find(object.name) && !variable_of(object.name));
  if (is_owner) return compile_name(c, e.name, e.range, *c.outside);
  const Value* owner = object.kind == ExpressionKind::name ? scope.find(object.name) : nullptr;
  if (owner && owner->kind == Value::Kind::free_name) return compile_name(c, e.name, e.range, *c.outside);
  return c.fail(e.range,
                "{} is not known here; what can stand after a point are the functions {} with their parentheses{}",
                shortened(e.name), join(methods(), ", "), did_you_mean(e.name, methods()));
}

Value unary_of(Compilation& c, const Expression& e, const Argument& argument) {
  const Value& operand = argument.value;
  if (is_tensor(c, operand))
    return each_element(
        c,
        e.name == "-"   ? "neg"
        : e.name == "+" ? "int"
                        : "~",
        {argument}, [&](const auto& cell) { return unary_of(c, e, cell[0]); }, e.range);
  if (operand.kind == Value::Kind::ratio && e.name != "~")
    return e.name == "-" ? ratio_of(c, c.make(Op::negate, false, e.range, operand.node), operand.denominator) : operand;
  const NodeId a = c.as_node(operand, argument.range);
  if (c.failed()) return {};
  if (e.name == "+") return c.of_node(c.as_int(a));
  if (e.name == "~" && c.node(a).is_bool) return c.make(Op::logical_not, true, e.range, a);
  if (e.name == "-" && c.node(a).op == Op::constant && !c.node(a).is_bool && c.node(a).value != lowest)
    return c.of_node(c.build.constant(-c.node(a).value, false, e.range));
  return c.make(e.name == "-" ? Op::negate : Op::bit_not, false, e.range, c.as_int(a));
}

Value compile_unary(Compilation& c, const Expression& e, Scope& scope) {
  const Value operand = compile_expression(c, e.operands[0], scope);
  return c.failed() ? Value{} : unary_of(c, e, {operand, "", c.at(e.operands[0]).range});
}

Value compile_binary(Compilation& c, const Expression& e, Scope& scope) {
  const Argument left{compile_expression(c, e.operands[0], scope), "", c.at(e.operands[0]).range};
  const Argument right{compile_expression(c, e.operands[1], scope), "", c.at(e.operands[1]).range};
  return c.failed() ? Value{} : compile_operation(c, e, e.name, left, right);
}

/// Warns of a bit operation on an integer and a truth value; `a` is the left operand.
void warn_of_bits(Compilation& c, const Expression& e, const std::string& symbol, NodeId a) {
  if (e.kind != ExpressionKind::binary) return;
  const ExpressionId integer = e.operands[c.node(a).is_bool ? 1 : 0];
  c.warn(e.range,
         "{} of an integer and a truth value works bit by bit; write ({} != 0) to test whether the integer is not zero",
         symbol, shortened(c.written(c.at(integer).range)));
}

}  // namespace

Value compile_expression(Compilation& c, ExpressionId id, Scope& scope) {
  if (c.failed()) return {};
  const Expression& e = c.at(id);
  if (++c.steps > max_steps)
    return c.fail(e.range, "the functions of the text unfold into more than {} operations", max_steps);
  switch (e.kind) {
    case ExpressionKind::integer: return c.of_node(c.build.constant(e.value, false, e.range));
    case ExpressionKind::boolean: return c.of_node(c.build.constant(e.value, true, e.range));
    case ExpressionKind::real:
      return {.kind = Value::Kind::ratio,
              .node = c.build.constant(e.value, false, e.range),
              .denominator = c.build.constant(e.denominator, false, e.range)};
    case ExpressionKind::string:
      return e.symbols.empty() ? Value{.kind = Value::Kind::text, .name = e.name} : compile_text(c, e, scope);
    case ExpressionKind::nothing: return {.kind = Value::Kind::nothing};
    case ExpressionKind::name: return compile_name(c, e.name, e.range, scope);
    case ExpressionKind::attribute: return compile_attribute(c, e, scope);
    case ExpressionKind::call: return compile_call(c, e, scope);
    case ExpressionKind::index: return compile_index(c, e, scope);
    case ExpressionKind::unary: return compile_unary(c, e, scope);
    case ExpressionKind::binary: return compile_binary(c, e, scope);
    case ExpressionKind::compare: return compile_comparison(c, e, scope);
    case ExpressionKind::conjunction:
    case ExpressionKind::disjunction: return compile_junction(c, e, scope);
    case ExpressionKind::negation: return compile_negation(c, e, scope);
    case ExpressionKind::ternary: return compile_ternary(c, e, scope);
    case ExpressionKind::tuple: return tuple_of(c, items_of(c, e.operands, scope));
    case ExpressionKind::set: return set_of(c, items_of(c, e.operands, scope), e.range);
    case ExpressionKind::dictionary: return compile_dictionary(c, e, scope);
    case ExpressionKind::assigned: {
      Value value = compile_expression(c, e.operands[0], scope);
      if (!c.failed()) bind_name(c, scope, e.name, value);
      return value;
    }
    case ExpressionKind::starred: return c.fail(e.range, "* is valid only in the arguments of a call or in a list");
    case ExpressionKind::generator: return compile_generator(c, e, scope);
    case ExpressionKind::slice:
    case ExpressionKind::ellipsis: return c.fail(e.range, "this has a value only between the brackets of an index");
    case ExpressionKind::lambda: {
      Value value{.kind = Value::Kind::callable};
      value.callable = written_function(c, c.syntax.functions[static_cast<std::size_t>(e.value)], scope);
      return value;
    }
  }
  return {};
}

NodeId compile_operand(Compilation& c, ExpressionId id, Scope& scope) {
  return c.as_node(compile_expression(c, id, scope), c.at(id).range);
}

Value compile_operation(Compilation& c, const Expression& e, const std::string& symbol, const Argument& left,
                        const Argument& right) {
  using Kind = Value::Kind;
  if (symbol == "|" && left.value.kind == Kind::dictionary && right.value.kind == Kind::dictionary) {
    const Value made = new_dictionary(c);
    for (const Argument& one : {left, right}) join_dictionary(c, made, one);
    return c.failed() ? Value{} : made;
  }
  if (symbol == "+" && left.value.kind == Kind::text && right.value.kind == Kind::text)
    return {.kind = Kind::text, .name = left.value.name + right.value.name};
  if (symbol == "+" && left.value.kind == Kind::tuple && right.value.kind == Kind::tuple) {
    auto items = *left.value.items;
    items.insert(items.end(), right.value.items->begin(), right.value.items->end());
    return tuple_of(c, std::move(items));
  }
  if (is_tensor(c, left.value) || is_tensor(c, right.value))
    return each_element(
        c, symbol, {left, right}, [&](const auto& cell) { return compile_operation(c, e, symbol, cell[0], cell[1]); },
        e.range);
  if (symbol == "*" && right.value.kind == Kind::tuple && left.value.kind != Kind::tuple)  // n * [0]
    return compile_operation(c, e, symbol, right, left);
  if (symbol == "*" && left.value.kind == Kind::tuple) {  // [0] * n
    const auto times = known_number(c, right);
    std::vector<Value> items;
    for (Index i = 0; times && i < *times && c.spend(static_cast<Index>(left.value.items->size()), e.range); ++i)
      items.insert(items.end(), left.value.items->begin(), left.value.items->end());
    return tuple_of(c, std::move(items));
  }
  if (symbol == "/" || left.value.kind == Kind::ratio || right.value.kind == Kind::ratio)
    return fraction(c, e, symbol, left, right);
  const NodeId a = c.as_node(left.value, left.range);
  const NodeId b = c.as_node(right.value, right.range);
  if (c.failed()) return {};
  const Operator& row = *operator_of(symbol);
  // torch's truth values stay truth values; Python's own are numbers.
  const bool are_constants = c.node(a).op == Op::constant && c.node(b).op == Op::constant;
  const bool are_numbers = row.op == Op::add && are_constants;
  if (row.of_truths && !are_numbers && c.node(a).is_bool && c.node(b).is_bool)
    return c.make(*row.of_truths, true, e.range, a, b);
  if (is_bitwise(symbol) && c.node(a).is_bool != c.node(b).is_bool) warn_of_bits(c, e, symbol, a);
  const NodeId first = c.as_int(a);
  return c.make(*row.op, false, e.range, first, c.as_int(b));
}

}  // namespace vqscope::language
