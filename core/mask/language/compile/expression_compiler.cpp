// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/expression_compiler.h"

#include "core/base/text.h"
#include "core/mask/language/names/known_names.h"
#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>

namespace vqscope::language {

Value ExpressionCompiler::expression(ExpressionId id, Scope& scope) {
  if (failed()) return {};
  const Expression& e = at(id);
  if (++m_steps > max_steps)
    return fail(e.range, "the functions of the text unfold into more than " + to_text(max_steps) + " operations");
  switch (e.kind) {
    case ExpressionKind::integer: return of_node(m_build.constant(e.value, false, e.range));
    case ExpressionKind::boolean: return of_node(m_build.constant(e.value, true, e.range));
    case ExpressionKind::real:
      return {.kind = Value::Kind::ratio,
              .node = m_build.constant(e.value, false, e.range),
              .denominator = m_build.constant(e.denominator, false, e.range)};
    case ExpressionKind::string:
      return e.symbols.empty() ? Value{.kind = Value::Kind::text, .name = e.name} : filled_text(e, scope);
    case ExpressionKind::nothing: return {.kind = Value::Kind::nothing};
    case ExpressionKind::name: return name(e.name, e.range, scope);
    case ExpressionKind::attribute: return attribute(e, scope);
    case ExpressionKind::call: return call(e, scope);
    case ExpressionKind::index: return element(e, scope);
    case ExpressionKind::unary: return unary(e, scope);
    case ExpressionKind::binary: return binary(e, scope);
    case ExpressionKind::compare: return comparison(e, scope);
    case ExpressionKind::conjunction:
    case ExpressionKind::disjunction: return junction(e, scope);
    case ExpressionKind::negation: return negation(e, scope);
    case ExpressionKind::ternary: return ternary(e, scope);
    case ExpressionKind::tuple: return tuple_of(items_of(e.operands, scope));
    case ExpressionKind::set: return set_of(items_of(e.operands, scope), e.range);
    case ExpressionKind::dictionary: return dictionary_of(e, scope);
    case ExpressionKind::assigned: {
      const Value value = expression(e.operands[0], scope);
      if (!failed()) bind(scope, e.name, value);
      return value;
    }
    case ExpressionKind::starred: return fail(e.range, "* stands before the arguments of a call or in a list alone");
    case ExpressionKind::generator: return generated(e, scope);
    case ExpressionKind::slice:
    case ExpressionKind::ellipsis: return fail(e.range, "this has a value only between the brackets of an index");
    case ExpressionKind::lambda: {
      Value value{.kind = Value::Kind::callable};
      value.callable = written_function(m_syntax.functions[static_cast<std::size_t>(e.value)], scope);
      return value;
    }
  }
  return {};
}

/// f"w{window}": names with a number or a text are filled in.
Value ExpressionCompiler::filled_text(const Expression& e, Scope& scope) {
  Value made{.kind = Value::Kind::text};
  std::string_view rest = e.name;
  while (!rest.empty()) {
    const auto open = std::min(rest.find('{'), rest.size());
    const auto close = std::min(rest.find('}', open), rest.size());
    made.name += rest.substr(0, open);
    if (open == rest.size()) break;
    const std::string inside(rest.substr(open + 1, close - std::min(open + 1, close)));
    const Value* found = scope.find(inside);
    const auto known = found && found->kind == Value::Kind::node ? settled(found->node) : std::nullopt;
    const bool is_text = found && found->kind == Value::Kind::text;
    made.is_flag = made.is_flag || (!known && !is_text);
    made.name += known ? to_text(*known) : is_text ? found->name : "{" + inside + "}";
    rest.remove_prefix(std::min(close + 1, rest.size()));
  }
  return made;
}

Value ExpressionCompiler::name(const std::string& name, Range range, Scope& scope) {
  if (const Value* found = scope.find(name)) {
    if (found->kind == Value::Kind::broken && !failed()) m_out.error = *found->error;
    return failed() ? Value{} : *found;
  }
  if (const auto variable = variable_of(name)) return variable_node(*variable, range);
  if (language::makes_block_mask(name)) {
    Value value{.kind = Value::Kind::callable, .name = name};
    value.callable = new_callable({.kind = Callable::Kind::known, .names = {name}});
    return value;
  }
  if (name == "__name__") return {.kind = Value::Kind::text, .name = "__main__"};
  if (is_module(name))
    return fail(range, name + " is no value; write " + name + ".where(...), " + name + ".minimum(...)");
  if (std::ranges::find(plain_functions(), name) != plain_functions().end()) {
    Value value{.kind = Value::Kind::callable, .name = name};
    value.callable = new_callable({.kind = Callable::Kind::known, .names = {name}});
    return value;
  }
  if (m_kept.contains(name)) {
    const auto [kept, is_new] = m_caches.try_emplace(name);
    if (is_new) kept->second = new_dictionary();
    return kept->second;
  }
  return {.kind = Value::Kind::free_name, .name = name};
}

/// self.window and cfg.window are the free name window, unless the text has given them a value.
Value ExpressionCompiler::attribute(const Expression& e, Scope& scope) {
  const Expression& object = at(e.operands[0]);
  if (object.kind == ExpressionKind::name) {
    if (const Value* set = scope.find(object.name + "." + e.name)) return *set;
    // What is made where it is None begins as None.
    if (m_made_once.contains(object.name + "." + e.name)) return {.kind = Value::Kind::nothing};
    if (is_module(object.name) && !scope.find(object.name)) return module_member(e, object.name);
  }
  if (e.name == "device") return {.kind = Value::Kind::nothing};
  const bool is_type_info = object.kind == ExpressionKind::call && at(object.operands[0]).name == "finfo";
  if (is_type_info && (e.name == "min" || e.name == "max"))
    return number_value(e.name == "min" ? lowest_score : -lowest_score, e.range);
  for (const char* of_array : {"shape", "dtype", "ndim", "T", "mT", "values", "indices"}) {
    const bool may_be_name = e.name != "shape" && e.name != "dtype" && e.name != "ndim";
    if (e.name != of_array || (may_be_name && object.kind == ExpressionKind::name && !scope.find(object.name)))
      continue;
    const Value owner = expression(e.operands[0], scope);
    if (failed()) return {};
    if (!may_be_name || is_tensor(owner) || owner.kind == Value::Kind::tuple)
      return array_attribute(e.name, {owner, "", object.range}, e.range);
  }
  if (const auto owned = attribute_of_namespace(e, scope)) return *owned;
  if (failed()) return {};
  const bool is_owner = object.kind == ExpressionKind::attribute ||
                        (object.kind == ExpressionKind::name && !scope.find(object.name) && !variable_of(object.name));
  if (is_owner) return name(e.name, e.range, *m_outside);
  const Value* owner = object.kind == ExpressionKind::name ? scope.find(object.name) : nullptr;
  if (owner && owner->kind == Value::Kind::free_name) return name(e.name, e.range, *m_outside);
  return fail(e.range, shortened(e.name) + " is not known here; what can stand after a point are the functions " +
                           join(methods(), ", ") + " with their parentheses" + did_you_mean(e.name, methods()));
}

/// cfg.window, cfg.attention.window of a SimpleNamespace; nothing: the owner is none.
std::optional<Value> ExpressionCompiler::attribute_of_namespace(const Expression& e, Scope& scope) {
  const Expression* root = &e;
  while (root->kind == ExpressionKind::attribute) root = &at(root->operands[0]);
  const Value* known = root->kind == ExpressionKind::name ? scope.find(root->name) : nullptr;
  const bool may_be = known && known->kind == Value::Kind::dictionary;
  if (!may_be) return std::nullopt;
  const Value owner = expression(e.operands[0], scope);
  if (failed() || owner.kind != Value::Kind::dictionary || owner.name != attributes_of) return std::nullopt;
  return item_at(owner, {{.kind = Value::Kind::text, .name = e.name}, "", e.range});
}

/// torch.inf, torch.bool; a function as a value.
Value ExpressionCompiler::module_member(const Expression& e, const std::string& module) {
  if (is_function(e.name) || e.name == "and_masks" || e.name == "or_masks") {
    Value value{.kind = Value::Kind::callable, .name = e.name};
    value.callable = new_callable({.kind = Callable::Kind::known, .names = {e.name}});
    return value;
  }
  if (e.name == "inf") return number_value(-lowest_score, e.range);
  for (const char* type : {"bool", "int", "float", "long", "half", "double", "bfloat", "uint"})
    if (e.name.starts_with(type)) return {.kind = Value::Kind::text, .name = e.name};
  return fail(e.range, module + "." + shortened(e.name) + " is no value of the mask language");
}

NodeId ExpressionCompiler::operand(ExpressionId id, Scope& scope) {
  return as_node(expression(id, scope), at(id).range);
}

Value ExpressionCompiler::unary(const Expression& e, Scope& scope) {
  const Value operand = expression(e.operands[0], scope);
  return failed() ? Value{} : unary_of(e, {operand, "", at(e.operands[0]).range});
}

Value ExpressionCompiler::unary_of(const Expression& e, const Argument& argument) {
  const Value& operand = argument.value;
  if (is_tensor(operand))
    return each(
        e.name == "-"   ? "neg"
        : e.name == "+" ? "int"
                        : "~",
        {argument}, [&](const auto& cell) { return unary_of(e, cell[0]); }, e.range);
  if (operand.kind == Value::Kind::ratio && e.name != "~")
    return e.name == "-" ? ratio_of(make(Op::negate, false, e.range, operand.node), operand.denominator) : operand;
  const NodeId a = as_node(operand, argument.range);
  if (failed()) return {};
  if (e.name == "+") return of_node(as_int(a));
  if (e.name == "~" && node(a).is_bool) return make(Op::logical_not, true, e.range, a);
  if (e.name == "-" && node(a).op == Op::constant && !node(a).is_bool && node(a).value != lowest)
    return of_node(m_build.constant(-node(a).value, false, e.range));
  return make(e.name == "-" ? Op::negate : Op::bit_not, false, e.range, as_int(a));
}

Value ExpressionCompiler::binary(const Expression& e, Scope& scope) {
  const Argument left{expression(e.operands[0], scope), "", at(e.operands[0]).range};
  const Argument right{expression(e.operands[1], scope), "", at(e.operands[1]).range};
  return failed() ? Value{} : operation(e, e.name, left, right);
}

Value ExpressionCompiler::operation(const Expression& e, const std::string& symbol, const Argument& left,
                                    const Argument& right) {
  using Kind = Value::Kind;
  if (symbol == "|" && left.value.kind == Kind::dictionary && right.value.kind == Kind::dictionary) {
    const Value made = new_dictionary();
    for (const Argument& one : {left, right}) join_dictionary(made, one);
    return failed() ? Value{} : made;
  }
  if (symbol == "+" && left.value.kind == Kind::text && right.value.kind == Kind::text)
    return {.kind = Kind::text, .name = left.value.name + right.value.name};
  if (symbol == "+" && left.value.kind == Kind::tuple && right.value.kind == Kind::tuple) {
    auto items = *left.value.items;
    items.insert(items.end(), right.value.items->begin(), right.value.items->end());
    return tuple_of(std::move(items));
  }
  if (is_tensor(left.value) || is_tensor(right.value))
    return each(
        symbol, {left, right}, [&](const auto& cell) { return operation(e, symbol, cell[0], cell[1]); }, e.range);
  if (symbol == "*" && left.value.kind == Kind::tuple) {  // [0] * n
    const auto times = number(right);
    std::vector<Value> items;
    for (Index i = 0; times && i < *times && spend(static_cast<Index>(left.value.items->size()), e.range); ++i)
      items.insert(items.end(), left.value.items->begin(), left.value.items->end());
    return tuple_of(std::move(items));
  }
  if (symbol == "/" || left.value.kind == Kind::ratio || right.value.kind == Kind::ratio)
    return fraction(e, symbol, left, right);
  const NodeId a = as_node(left.value, left.range);
  const NodeId b = as_node(right.value, right.range);
  if (failed()) return {};
  static const std::map<std::string_view, Op> bits{{"&", Op::bit_and}, {"|", Op::bit_or}, {"^", Op::bit_xor}};
  if (const auto found = bits.find(symbol); found != bits.end()) return bitwise(e, symbol, found->second, a, b);
  static const std::map<std::string_view, Op> all{{"+", Op::add},           {"-", Op::subtract},    {"*", Op::multiply},
                                                  {"//", Op::floor_divide}, {"%", Op::modulo},      {"**", Op::power},
                                                  {"<<", Op::shift_left},   {">>", Op::shift_right}};
  // A product of truth values is their `and`, as 0 and 1.
  if (symbol == "*" && node(a).is_bool && node(b).is_bool) return make(Op::logical_and, true, e.range, a, b);
  const NodeId first = as_int(a);
  return make(all.at(symbol), false, e.range, first, as_int(b));
}

Value ExpressionCompiler::bitwise(const Expression& e, const std::string& symbol, Op op, NodeId a, NodeId b) {
  const bool mixed = node(a).is_bool != node(b).is_bool;
  if (node(a).is_bool && node(b).is_bool) {
    const Op logical = op == Op::bit_and ? Op::logical_and : op == Op::bit_or ? Op::logical_or : Op::logical_xor;
    return make(logical, true, e.range, a, b);
  }
  if (mixed && e.kind == ExpressionKind::binary) {
    const ExpressionId integer = e.operands[node(a).is_bool ? 1 : 0];
    warn(e.range, symbol + " of an integer and a truth value works bit by bit; write (" +
                      shortened(written(at(integer).range)) + " != 0) to ask whether the integer is not zero");
  }
  const NodeId left = as_int(a);
  return make(op, false, e.range, left, as_int(b));
}

}  // namespace vqscope::language
