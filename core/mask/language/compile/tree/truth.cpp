// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons, and, or, not, if: what decides.
#include "core/mask/language/compile/tree/tree.h"

#include "core/base/sentence.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/parse/operators.h"

#include <algorithm>

namespace vqscope::language {
namespace {

constexpr auto torch_raises =
    " of tensors: torch raises \"Boolean value of Tensor with more than one value is ambiguous\"; ";

/// a < b & c < d: the parser has told what is meant.
bool is_mixed(const Compilation& c, const Expression& e) {
  return std::ranges::any_of(e.operands, [&](ExpressionId id) {
    const Expression& operand = c.at(id);
    return operand.kind == ExpressionKind::binary && !operand.parenthesised &&
           binding_of(operand.name) < Binding::shift;
  });
}

/// With None, or with True and False.
Value identity(Compilation& c, const Expression& e, std::size_t i, const Value& left, const Value& right) {
  using Kind = Value::Kind;
  const std::string& symbol = e.symbols[i];
  const bool wanted = symbol == "is" || symbol == "==";
  if (left.kind == Kind::nothing || right.kind == Kind::nothing) {
    if (symbol != "is" && symbol != "is not" && symbol != "==" && symbol != "!=")
      return c.fail(e.range, "None has no order; ask for it with is None");
    return c.flag((left.kind == right.kind) == wanted, e.range);
  }
  const NodeId a = c.as_node(left, c.at(e.operands[i]).range);
  const NodeId b = c.as_node(right, c.at(e.operands[i + 1]).range);
  if (c.failed()) return {};
  if (!c.node(b).is_bool) return c.fail(e.range, "is compares with None, True or False; compare numbers with ==");
  const NodeId first = c.as_int(a);
  return c.make(wanted ? Op::equal : Op::not_equal, true, e.range, first, c.as_int(b));
}

/// x in (a, b): x equals one of them.
Value membership(Compilation& c, const Expression& e, std::size_t i, const Value& left, const Value& right) {
  const bool wanted = e.symbols[i] == "in";
  if (right.kind == Value::Kind::text && left.kind == Value::Kind::text)
    return c.flag((right.name.find(left.name) != std::string::npos) == wanted, e.range);
  if (right.kind == Value::Kind::dictionary) {
    const bool has = found_item(c, right, {left, "", c.at(e.operands[i]).range}).has_value();
    return c.failed() ? Value{} : c.flag(has == wanted, e.range);
  }
  const bool is_list = right.kind == Value::Kind::tuple || is_tensor(c, right) || right.kind == Value::Kind::free_name;
  if (!is_list)
    return c.fail(c.at(e.operands[i + 1]).range, "in is followed by values in parentheses, such as (0, 1, 2)");
  Value any = c.flag(false, e.range);
  for (const Value& item : items_in(c, {right, "", c.at(e.operands[i + 1]).range})) {
    if (left.kind == Value::Kind::text || item.kind == Value::Kind::text) {
      if (left.kind == item.kind && left.name == item.name) any = c.flag(true, e.range);
      continue;
    }
    const NodeId a = c.as_node(left, c.at(e.operands[i]).range);
    const NodeId b = c.as_node(item, c.at(e.operands[i + 1]).range);
    if (c.failed()) return {};
    const NodeId first = c.as_int(a);
    const Value same = c.make(Op::equal, true, e.range, first, c.as_int(b));
    any = c.failed()                            ? Value{}
          : c.node(any.node).op == Op::constant ? same
                                                : c.make(Op::logical_or, true, e.range, any.node, same.node);
    if (c.failed()) return {};
  }
  return wanted ? any : c.make(Op::logical_not, true, e.range, any.node);
}

Value compare(Compilation& c, const Expression& e, std::size_t i, const Value& left, const Value& right);

/// Two lists or tuples are equal where they are as long and each pair of items is.
Value compare_lists(Compilation& c, const Expression& e, std::size_t i, const Value& left, const Value& right) {
  const std::string& symbol = e.symbols[i];
  if (symbol != "==" && symbol != "!=") return c.fail(e.range, "lists are compared with == and != here");
  const bool asks_equal = symbol == "==";
  if (left.items->size() != right.items->size()) return c.flag(!asks_equal, e.range);
  Value all = c.flag(asks_equal, e.range);
  for (std::size_t item = 0; item < left.items->size() && !c.failed(); ++item) {
    const Value one = compare(c, e, i, (*left.items)[item], (*right.items)[item]);
    if (c.failed()) return {};
    if (one.kind != Value::Kind::node) return c.fail(e.range, "lists that hold arrays are not compared here");
    if (const auto known = c.settled(one.node)) {
      if ((*known != 0) != asks_equal) return c.flag(!asks_equal, e.range);
      continue;
    }
    all = c.make(asks_equal ? Op::logical_and : Op::logical_or, true, e.range, all.node, one.node);
  }
  return c.failed() ? Value{} : all;
}

/// A text, or the name of the type that torch.bool and torch.int64 are where they are not called.
std::optional<std::string> type_or_text(const Value& value) {
  if (value.kind == Value::Kind::text) return value.name == "long" ? "int64" : value.name;
  if (value.kind != Value::Kind::callable || value.callable->kind != Callable::Kind::known) return std::nullopt;
  const std::string& name = value.callable->names.front();
  return name == "long" ? "int64" : name;
}

/// Of the operands i and i + 1 of a chain.
Value compare(Compilation& c, const Expression& e, std::size_t i, const Value& left, const Value& right) {
  using Kind = Value::Kind;
  const std::string& symbol = e.symbols[i];
  if (symbol.starts_with("is") || left.kind == Kind::nothing || right.kind == Kind::nothing)
    return identity(c, e, i, left, right);
  if (symbol.ends_with("in")) return membership(c, e, i, left, right);
  if (is_tensor(c, left) || is_tensor(c, right)) {
    const Argument a{left, "", c.at(e.operands[i]).range}, b{right, "", c.at(e.operands[i + 1]).range};
    return each_element(
        c, symbol, {a, b}, [&](const auto& cell) { return compare(c, e, i, cell[0].value, cell[1].value); }, e.range);
  }
  if (left.kind == Kind::text || right.kind == Kind::text) {
    if (left.is_flag || right.is_flag) return c.fail(e.range, "not all of this text is known here");
    const auto a = type_or_text(left), b = type_or_text(right);
    return c.flag((a && b && *a == *b) == (symbol == "=="), e.range);
  }
  if (left.kind == Kind::tuple && right.kind == Kind::tuple) return compare_lists(c, e, i, left, right);
  const Range left_range = c.at(e.operands[i]).range;
  const Range right_range = c.at(e.operands[i + 1]).range;
  const Range range{c.at(e.operands[i]).outer.begin, c.at(e.operands[i + 1]).outer.end};
  const Range whole = e.symbols.size() == 1 ? e.range : range;
  return compare_values(c, symbol, {left, "", left_range}, {right, "", right_range}, range, whole);
}

Value joined_by(Compilation& c, const Expression& e, bool is_and, NodeId left, NodeId right) {
  if (c.node(left).is_bool && c.node(right).is_bool)
    return c.make(is_and ? Op::and_then : Op::or_else, true, e.range, left, right);
  // Python gives one of the two integers.
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

Value compile_comparison(Compilation& c, const Expression& e, Scope& scope) {
  NodeId all = no_node;
  Value left = compile_expression(c, e.operands[0], scope);
  for (std::size_t i = 0; i < e.symbols.size() && !c.failed(); ++i) {
    const Value right = compile_expression(c, e.operands[i + 1], scope);
    if (c.failed()) return {};
    Value compared = compare(c, e, i, left, right);
    if (c.failed()) return {};
    if (compared.kind == Value::Kind::tensor) {
      if (e.symbols.size() == 1) return compared;
      return c.fail(e.range, "an array is compared twice here; join two comparisons with &");
    }
    if (all == no_node) {
      all = compared.node;
    } else {
      if (!is_mixed(c, e)) warn_of_tensors(c, e.range, all, "a < b < c", "join two comparisons with &");
      all = c.make(Op::and_then, true, e.range, all, compared.node).node;
      if (!c.failed()) c.chains.insert(all);
    }
    left = right;
  }
  return c.failed() ? Value{} : c.of_node(all);
}

Value compare_values(Compilation& c, const std::string& symbol, const Argument& left, const Argument& right,
                     Range range, Range whole) {
  if (left.value.kind == Value::Kind::ratio || right.value.kind == Value::Kind::ratio)
    return compare_fractions(c, symbol, left.value, right.value, whole);
  const NodeId a = c.as_node(left.value, left.range);
  const NodeId b = c.as_node(right.value, right.range);
  if (c.failed()) return {};
  const NodeId first = c.as_int(a);
  return compare_integers(c, symbol, first, c.as_int(b),
                          {no_node, no_node, no_node, symbol, range, left.range, right.range}, whole);
}

Value compare_integers(Compilation& c, const std::string& symbol, NodeId a, NodeId b, Comparison written, Range range) {
  Value made = c.make(*operator_of(symbol)->op, true, range, a, b);
  if (!c.failed() && c.compared.insert(made.node).second) {
    written.node = made.node;
    written.left = a;
    written.right = b;
    c.out.code.comparisons.push_back(std::move(written));
  }
  return made;
}

Value compile_junction(Compilation& c, const Expression& e, Scope& scope) {
  const bool is_and = e.kind == ExpressionKind::conjunction;
  Value all = compile_expression(c, e.operands[0], scope);
  Range range = c.at(e.operands[0]).range;
  for (std::size_t i = 1; i < e.operands.size() && !c.failed(); ++i) {
    // What decides it before any cell is looked at is left out, and what it keeps from being asked.
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
    c.warn(e.range, "not of an integer asks whether it is zero; write {} == 0",
           shortened(c.written(c.at(e.operands[0]).range)));
  return c.make(Op::logical_not, true, e.range, c.as_bool(a));
}

Value compile_ternary(Compilation& c, const Expression& e, Scope& scope) {
  const Value condition = compile_expression(c, e.operands[0], scope);
  if (c.failed()) return {};
  const bool plain = c.at(e.operands[0]).kind == ExpressionKind::boolean;
  if (const auto known = plain ? std::nullopt : decided(c, condition))
    return compile_expression(c, e.operands[*known ? 1 : 2], scope);
  const NodeId asked = c.as_node(condition, c.at(e.operands[0]).range);
  const Value yes = compile_expression(c, e.operands[1], scope);
  const Value no = compile_expression(c, e.operands[2], scope);
  if (c.failed()) return {};
  warn_of_tensors(c, e.range, asked, "if", "write torch.where(condition, x, y)");
  return either(c, asked, {yes, "", c.at(e.operands[1]).range}, {no, "", c.at(e.operands[2]).range}, e.range,
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

void warn_of_tensors(Compilation& c, Range range, NodeId asked, const std::string& word, const std::string& advice) {
  if (differs_by_cell(c, asked)) c.warn(range, word + torch_raises + advice);
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
