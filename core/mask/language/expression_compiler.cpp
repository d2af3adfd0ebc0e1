// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/expression_compiler.h"

#include "core/base/text.h"
#include "core/mask/language/arithmetic.h"
#include "core/mask/language/known_names.h"

namespace vqscope::language {

Value ExpressionCompiler::expression(ExpressionId id, Scope& scope) {
  if (failed()) return {};
  const Expression& e = at(id);
  if (++m_steps > max_steps)
    return fail(e.range, "the functions of the text unfold into more than " + to_text(max_steps) + " operations");
  switch (e.kind) {
    case ExpressionKind::integer: return of_node(m_build.constant(e.value, false, e.range));
    case ExpressionKind::boolean: return of_node(m_build.constant(e.value, true, e.range));
    case ExpressionKind::string:
      return fail(e.range, "a text is no value of the mask language; values are integers, True and False");
    case ExpressionKind::name: return name(e.name, e.range, scope);
    case ExpressionKind::attribute:
      return fail(e.range, shortened(e.name) + " is not known here; what can stand after a point are the functions " +
                               join(methods(), ", ") + " with their parentheses" + did_you_mean(e.name, methods()));
    case ExpressionKind::call: return call(e, scope);
    case ExpressionKind::index: return element(e, scope);
    case ExpressionKind::unary: return unary(e, scope);
    case ExpressionKind::binary: return binary(e, scope);
    case ExpressionKind::compare: return comparison(e, scope);
    case ExpressionKind::conjunction:
    case ExpressionKind::disjunction: return junction(e, scope);
    case ExpressionKind::negation: return negation(e, scope);
    case ExpressionKind::ternary:
      return choice(Op::select, e,
                    {operand(e.operands[0], scope), operand(e.operands[1], scope), operand(e.operands[2], scope)});
    case ExpressionKind::tuple: {
      auto items = std::make_shared<std::vector<Value>>();
      for (const ExpressionId item : e.operands) items->push_back(expression(item, scope));
      return {.kind = Value::Kind::tuple, .items = std::move(items)};
    }
    case ExpressionKind::lambda: {
      Value value{.kind = Value::Kind::callable};
      value.callable =
          new_callable({.function = &m_syntax.functions[static_cast<std::size_t>(e.value)], .scope = &scope});
      return value;
    }
  }
  return {};
}

Value ExpressionCompiler::name(const std::string& name, Range range, Scope& scope) {
  if (const Value* found = scope.find(name)) return *found;
  if (const auto variable = variable_of(name)) return variable_node(*variable, range);
  if (name == "torch") return fail(range, "torch is no value; write torch.where(...), torch.minimum(...)");
  return {.kind = Value::Kind::free_name, .name = name};
}

NodeId ExpressionCompiler::operand(ExpressionId id, Scope& scope) {
  return as_node(expression(id, scope), at(id).range);
}

Value ExpressionCompiler::unary(const Expression& e, Scope& scope) {
  const NodeId a = operand(e.operands[0], scope);
  if (failed()) return {};
  if (e.name == "+") return of_node(as_int(a));
  if (e.name == "~" && node(a).is_bool) return make(Op::logical_not, true, e.range, a);
  if (e.name == "-" && node(a).op == Op::constant && !node(a).is_bool && node(a).value != lowest)
    return of_node(m_build.constant(-node(a).value, false, e.range));
  return make(e.name == "-" ? Op::negate : Op::bit_not, false, e.range, as_int(a));
}

Value ExpressionCompiler::binary(const Expression& e, Scope& scope) {
  const NodeId a = operand(e.operands[0], scope);
  const NodeId b = operand(e.operands[1], scope);
  if (failed()) return {};
  static const std::map<std::string_view, Op> bits{{"&", Op::bit_and}, {"|", Op::bit_or}, {"^", Op::bit_xor}};
  if (const auto found = bits.find(e.name); found != bits.end()) return bitwise(e, found->second, a, b);
  static const std::map<std::string_view, Op> all{{"+", Op::add},           {"-", Op::subtract},    {"*", Op::multiply},
                                                  {"//", Op::floor_divide}, {"%", Op::modulo},      {"**", Op::power},
                                                  {"<<", Op::shift_left},   {">>", Op::shift_right}};
  const NodeId left = as_int(a);
  return make(all.at(e.name), false, e.range, left, as_int(b));
}

Value ExpressionCompiler::bitwise(const Expression& e, Op op, NodeId a, NodeId b) {
  const bool mixed = node(a).is_bool != node(b).is_bool;
  if (node(a).is_bool && node(b).is_bool) {
    const Op logical = op == Op::bit_and ? Op::logical_and : op == Op::bit_or ? Op::logical_or : Op::logical_xor;
    return make(logical, true, e.range, a, b);
  }
  if (mixed) {
    const ExpressionId integer = e.operands[node(a).is_bool ? 1 : 0];
    warn(e.range, e.name + " of an integer and a truth value works bit by bit; write (" +
                      shortened(written(at(integer).range)) + " != 0) to ask whether the integer is not zero");
  }
  const NodeId left = as_int(a);
  return make(op, false, e.range, left, as_int(b));
}

Value ExpressionCompiler::comparison(const Expression& e, Scope& scope) {
  NodeId all = no_node;
  NodeId left = operand(e.operands[0], scope);
  for (std::size_t i = 0; i < e.symbols.size() && !failed(); ++i) {
    const NodeId right = operand(e.operands[i + 1], scope);
    if (failed()) return {};
    const Value compared = compare(e, i, left, right);
    if (failed()) return {};
    if (all == no_node) {
      all = compared.node;
    } else {
      all = make(Op::and_then, true, e.range, all, compared.node).node;
      if (!failed()) m_chains.insert(all);
    }
    left = right;
  }
  return failed() ? Value{} : of_node(all);
}

Value ExpressionCompiler::compare(const Expression& e, std::size_t i, NodeId left, NodeId right) {
  static const std::map<std::string_view, Op> all{{"<", Op::less},    {"<=", Op::less_equal},
                                                  {">", Op::greater}, {">=", Op::greater_equal},
                                                  {"==", Op::equal},  {"!=", Op::not_equal}};
  const Range left_range = at(e.operands[i]).range;
  const Range right_range = at(e.operands[i + 1]).range;
  const Range range{at(e.operands[i]).outer.begin, at(e.operands[i + 1]).outer.end};
  const NodeId a = as_int(left);
  const NodeId b = as_int(right);
  const Value made = make(all.at(e.symbols[i]), true, e.symbols.size() == 1 ? e.range : range, a, b);
  if (!failed() && m_compared.insert(made.node).second)
    m_out.code.comparisons.push_back({made.node, a, b, e.symbols[i], range, left_range, right_range});
  return made;
}

Value ExpressionCompiler::junction(const Expression& e, Scope& scope) {
  const bool is_and = e.kind == ExpressionKind::conjunction;
  NodeId all = operand(e.operands[0], scope);
  for (std::size_t i = 1; i < e.operands.size() && !failed(); ++i) {
    const NodeId next = operand(e.operands[i], scope);
    if (failed()) return {};
    if (node(all).is_bool && node(next).is_bool) {
      all = make(is_and ? Op::and_then : Op::or_else, true, e.range, all, next).node;
      continue;
    }
    // Python gives one of the two integers.
    const NodeId condition = as_bool(all);
    const NodeId kept = as_int(all);
    const NodeId other = as_int(next);
    all = make(Op::select, false, e.range, condition, is_and ? other : kept, is_and ? kept : other).node;
  }
  return failed() ? Value{} : of_node(all);
}

Value ExpressionCompiler::negation(const Expression& e, Scope& scope) {
  const NodeId a = operand(e.operands[0], scope);
  if (failed()) return {};
  if (!node(a).is_bool)
    warn(e.range,
         "not of an integer asks whether it is zero; write " + shortened(written(at(e.operands[0]).range)) + " == 0");
  return make(Op::logical_not, true, e.range, as_bool(a));
}

Value ExpressionCompiler::choice(Op op, const Expression& e, std::array<NodeId, 3> operands) {
  if (failed()) return {};
  const auto [condition, yes, no] = operands;
  const bool is_bool = node(yes).is_bool && node(no).is_bool;
  const NodeId a = as_bool(condition);
  const NodeId b = is_bool ? yes : as_int(yes);
  return make(op, is_bool, e.range, a, b, is_bool ? no : as_int(no));
}

}  // namespace vqscope::language
