// SPDX-License-Identifier: GPL-3.0-or-later
// a < b, a < b < c, a is None, a in b: of numbers, texts, lists and arrays.
#include "core/mask/language/compile/tree/tree.h"

#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/parse/operators.h"

#include <algorithm>
#include <utility>

namespace vqscope::language {
namespace {

/// a < b & c < d: the parser has already warned.
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
      return c.fail(e.range, "None cannot be ordered; test for it with is None");
    for (const Value* side : {&left, &right})
      if (side->kind == Kind::free_name) c.compare_with_none(*side, e.range);
    return c.flag((left.kind == right.kind) == wanted, e.range);
  }
  if (left.kind == Kind::text && right.kind == Kind::text) return c.flag((left.name == right.name) == wanted, e.range);
  const NodeId a = c.as_node(left, c.at(e.operands[i]).range);
  const NodeId b = c.as_node(right, c.at(e.operands[i + 1]).range);
  if (c.failed()) return {};
  if (!c.node(b).is_bool) return c.fail(e.range, "is compares with None, True or False; compare numbers with ==");
  const NodeId first = c.as_int(a);
  return c.make(wanted ? Op::equal : Op::not_equal, true, e.range, first, c.as_int(b));
}

/// A free name that is compared with a text is a text too.
Value as_text(Compilation& c, const Value& value, const Value& other, Range range) {
  const bool is_free = value.kind == Value::Kind::free_name && !is_tensor(c, value);
  if (!is_free || other.kind != Value::Kind::text) return value;
  return c.word_value(value.name, c.written_default(value, range), range, {other.name});
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
    return c.fail(c.at(e.operands[i + 1]).range, "in must be followed by values in parentheses, such as (0, 1, 2)");
  Value any = c.flag(false, e.range);
  for (const Value& item : items_in(c, {right, "", c.at(e.operands[i + 1]).range})) {
    const Value one = as_text(c, left, item, c.at(e.operands[i]).range);
    if (c.failed()) return {};
    if (one.kind == Value::Kind::text || item.kind == Value::Kind::text) {
      if (one.kind == item.kind && one.name == item.name) any = c.flag(true, e.range);
      continue;
    }
    if (one.kind == Value::Kind::nothing || item.kind == Value::Kind::nothing) {
      if (one.kind == item.kind) any = c.flag(true, e.range);
      continue;
    }
    const NodeId a = c.as_node(one, c.at(e.operands[i]).range);
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

/// Two lists or tuples are equal if they have the same length and each pair of items is equal.
Value compare_lists(Compilation& c, const Expression& e, std::size_t i, const Value& left, const Value& right) {
  const std::string& symbol = e.symbols[i];
  if (symbol != "==" && symbol != "!=") return c.fail(e.range, "lists can be compared only with == and !=");
  const bool is_equality = symbol == "==";
  if (left.items->size() != right.items->size()) return c.flag(!is_equality, e.range);
  Value all = c.flag(is_equality, e.range);
  for (std::size_t item = 0; item < left.items->size() && !c.failed(); ++item) {
    const Value one = compare(c, e, i, (*left.items)[item], (*right.items)[item]);
    if (c.failed()) return {};
    if (one.kind != Value::Kind::node) return c.fail(e.range, "lists that hold arrays cannot be compared here");
    if (const auto known = c.settled(one.node)) {
      if ((*known != 0) != is_equality) return c.flag(!is_equality, e.range);
      continue;
    }
    all = c.make(is_equality ? Op::logical_and : Op::logical_or, true, e.range, all.node, one.node);
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

/// Compares the operands i and i + 1 of a chain.
Value compare(Compilation& c, const Expression& e, std::size_t i, const Value& first, const Value& second) {
  using Kind = Value::Kind;
  const std::string& symbol = e.symbols[i];
  const Value left = as_text(c, first, second, c.at(e.operands[i]).range);
  const Value right = as_text(c, second, first, c.at(e.operands[i + 1]).range);
  if (c.failed()) return {};
  if (symbol.starts_with("is") || left.kind == Kind::nothing || right.kind == Kind::nothing)
    return identity(c, e, i, left, right);
  if (symbol.ends_with("in")) return membership(c, e, i, left, right);
  if (is_tensor(c, left) || is_tensor(c, right)) {
    const Argument a{left, "", c.at(e.operands[i]).range}, b{right, "", c.at(e.operands[i + 1]).range};
    return each_element(
        c, symbol, {a, b}, [&](const auto& cell) { return compare(c, e, i, cell[0].value, cell[1].value); }, e.range);
  }
  if (left.kind == Kind::text || right.kind == Kind::text) {
    if (left.is_flag || right.is_flag) return c.fail(e.range, "part of this text is not known here");
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

}  // namespace

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

}  // namespace vqscope::language
