// SPDX-License-Identifier: GPL-3.0-or-later
// and, or, not, if: conditions.
#include "core/mask/language/compile/tree/tree.h"

#include "core/base/sentence.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/parse/operators.h"

namespace vqscope::language {
namespace {

constexpr auto torch_raises =
    " of tensors: torch raises \"Boolean value of Tensor with more than one value is ambiguous\"; ";

Value joined_by(Compilation& c, const Expression& e, bool is_and, NodeId left, NodeId right) {
  if (c.node(left).is_bool && c.node(right).is_bool)
    return c.make(is_and ? Op::and_then : Op::or_else, true, e.range, left, right);
  // Python returns one of the two integers.
  const NodeId condition = c.as_bool(left);
  const NodeId kept = c.as_int(left);
  const NodeId other = c.as_int(right);
  return c.make(Op::select, false, e.range, condition, is_and ? other : kept, is_and ? kept : other);
}

}  // namespace

std::optional<bool> decided(Compilation& c, const Value& value) {
  switch (value.kind) {
    case Value::Kind::nothing: return false;
    case Value::Kind::text: return !value.name.empty();
    case Value::Kind::tuple: return !value.items->empty();
    case Value::Kind::dictionary: return !value.dictionary->items().empty();
    case Value::Kind::callable: return true;
    case Value::Kind::tensor:
      if (value.tensor->size() == 1 && value.tensor->is_known()) return value.tensor->numbers.front() != 0;
      return std::nullopt;
    case Value::Kind::node: break;
    default: return std::nullopt;
  }
  const auto known = c.settled(value.node);
  return known ? std::optional(*known != 0) : std::nullopt;
}

Value compile_junction(Compilation& c, const Expression& e, Scope& scope) {
  const bool is_and = e.kind == ExpressionKind::conjunction;
  Value all = compile_expression(c, e.operands[0], scope);
  Range range = c.at(e.operands[0]).range;
  for (std::size_t i = 1; i < e.operands.size() && !c.failed(); ++i) {
    // Leave out operands that are known before any cell is evaluated, and those that they
    // short-circuit.
    const bool plain = all.kind == Value::Kind::node && c.node(all.node).op == Op::constant &&
                       c.at(e.operands[i - 1]).kind == ExpressionKind::boolean;
    if (const auto known = plain ? std::nullopt : decided(c, all)) {
      if (*known != is_and) return all;
      all = compile_expression(c, e.operands[i], scope);
      range = c.at(e.operands[i]).range;
      continue;
    }
    const NodeId left = c.as_node(all, range);
    const NodeId right = compile_operand(c, e.operands[i], scope);
    if (c.failed()) return {};
    warn_of_tensors(c, e.range, left, e.name, fmt::format("write (a) {} (b)", is_and ? "&" : "|"));
    all = joined_by(c, e, is_and, left, right);
  }
  return c.failed() ? Value{} : all;
}

Value compile_negation(Compilation& c, const Expression& e, Scope& scope) {
  const Value value = compile_expression(c, e.operands[0], scope);
  if (value.kind != Value::Kind::node && !c.failed())
    if (const auto known = decided(c, value)) return c.flag(!*known, e.range);
  const NodeId a = c.as_node(value, c.at(e.operands[0]).range);
  if (c.failed()) return {};
  if (!c.node(a).is_bool)
    c.warn(e.range, "not of an integer tests whether it is zero; write {} == 0",
           shortened(c.written(c.at(e.operands[0]).range)));
  return c.make(Op::logical_not, true, e.range, c.as_bool(a));
}

Value compile_ternary(Compilation& c, const Expression& e, Scope& scope) {
  const Value condition = compile_expression(c, e.operands[0], scope);
  if (c.failed()) return {};
  const bool plain = c.at(e.operands[0]).kind == ExpressionKind::boolean;
  if (const auto known = plain ? std::nullopt : decided(c, condition))
    return compile_expression(c, e.operands[*known ? 1 : 2], scope);
  const NodeId test = c.as_node(condition, c.at(e.operands[0]).range);
  const Value yes = compile_expression(c, e.operands[1], scope);
  const Value no = compile_expression(c, e.operands[2], scope);
  if (c.failed()) return {};
  // An array is not chosen by cell, but by a parameter that has a value.
  const bool are_arrays = is_tensor(c, yes) || is_tensor(c, no) || yes.kind == Value::Kind::tuple;
  if (const auto known = are_arrays ? c.settled(test) : std::nullopt) return *known != 0 ? yes : no;
  warn_of_tensors(c, e.range, test, "if", "write torch.where(condition, x, y)");
  return either(c, test, {yes, "", c.at(e.operands[1]).range}, {no, "", c.at(e.operands[2]).range}, e.range,
                Op::select);
}

Value either(Compilation& c, NodeId condition, const Argument& yes, const Argument& no, Range range, Op op) {
  using Kind = Value::Kind;
  if (yes.value.kind == Kind::callable && no.value.kind == Kind::callable) {
    Value value{.kind = Kind::callable};
    value.callable = c.new_callable({.kind = Callable::Kind::chosen,
                                     .members = {yes.value.callable, no.value.callable},
                                     .condition = c.as_bool(condition)});
    return value;
  }
  if (yes.value.kind == Kind::ratio || no.value.kind == Kind::ratio) {
    const Value a = as_ratio(c, yes), b = as_ratio(c, no);
    if (c.failed()) return {};
    const Value above = chosen(c, op, range, {condition, a.node, b.node});
    return c.failed() ? Value{}
                      : ratio_of(c, above, chosen(c, op, range, {condition, a.denominator, b.denominator}).node);
  }
  const NodeId a = c.as_node(yes.value, yes.range);
  const NodeId b = c.as_node(no.value, no.range);
  return c.failed() ? Value{} : chosen(c, op, range, {condition, a, b});
}

Value chosen(Compilation& c, Op op, Range range, std::array<NodeId, 3> operands) {
  if (c.failed()) return {};
  const auto [condition, yes, no] = operands;
  const bool is_bool = c.node(yes).is_bool && c.node(no).is_bool;
  const NodeId a = c.as_bool(condition);
  const NodeId b = is_bool ? yes : c.as_int(yes);
  return c.make(op, is_bool, range, a, b, is_bool ? no : c.as_int(no));
}

void warn_of_tensors(Compilation& c, Range range, NodeId test, const std::string& word, const std::string& advice) {
  if (differs_by_cell(c, test)) c.warn(range, word + torch_raises + advice);
}

bool differs_by_cell(const Compilation& c, NodeId id) {
  if (id == no_node) return false;
  std::vector<bool> seen(static_cast<std::size_t>(id) + 1);
  std::vector<NodeId> open{id};
  while (!open.empty()) {
    const NodeId next = open.back();
    open.pop_back();
    if (next == no_node || seen[static_cast<std::size_t>(next)]) continue;
    seen[static_cast<std::size_t>(next)] = true;
    const Node& n = c.node(next);
    const bool is_number = n.op == Op::variable && (n.value == static_cast<Index>(Variable::past_len) ||
                                                    n.value == static_cast<Index>(Variable::q_len) ||
                                                    n.value == static_cast<Index>(Variable::kv_len));
    if (n.op == Op::element || (n.op == Op::variable && !is_number)) return true;
    open.insert(open.end(), {n.a, n.b, n.c});
  }
  return false;
}

}  // namespace vqscope::language
