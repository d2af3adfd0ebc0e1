// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons, and, or, not, if: what decides.
#include "core/mask/language/compile/expression_compiler.h"

#include "core/base/text.h"
#include "core/mask/language/parse/operators.h"

#include <algorithm>

namespace vqscope::language {
namespace {

constexpr auto torch_raises =
    " of tensors: torch raises \"Boolean value of Tensor with more than one value is ambiguous\"; ";

}  // namespace

std::optional<bool> ExpressionCompiler::decided(const Value& value) {
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
  const auto known = settled(value.node);
  return known ? std::optional(*known != 0) : std::nullopt;
}

Value ExpressionCompiler::comparison(const Expression& e, Scope& scope) {
  NodeId all = no_node;
  Value left = expression(e.operands[0], scope);
  for (std::size_t i = 0; i < e.symbols.size() && !failed(); ++i) {
    const Value right = expression(e.operands[i + 1], scope);
    if (failed()) return {};
    const Value compared = compare(e, i, left, right);
    if (failed()) return {};
    if (compared.kind == Value::Kind::tensor) {
      if (e.symbols.size() == 1) return compared;
      return fail(e.range, "an array is compared twice here; join two comparisons with &");
    }
    if (all == no_node) {
      all = compared.node;
    } else {
      if (!is_mixed(e)) warn_of_tensors(e.range, all, "a < b < c", "join two comparisons with &");
      all = make(Op::and_then, true, e.range, all, compared.node).node;
      if (!failed()) m_chains.insert(all);
    }
    left = right;
  }
  return failed() ? Value{} : of_node(all);
}

/// a < b & c < d: the parser has told what is meant.
bool ExpressionCompiler::is_mixed(const Expression& e) const {
  return std::ranges::any_of(e.operands, [&](ExpressionId id) {
    const Expression& operand = at(id);
    return operand.kind == ExpressionKind::binary && !operand.parenthesised &&
           binding_of(operand.name) < Binding::shift;
  });
}

Value ExpressionCompiler::compare(const Expression& e, std::size_t i, const Value& left, const Value& right) {
  using Kind = Value::Kind;
  const std::string& symbol = e.symbols[i];
  if (symbol.starts_with("is") || left.kind == Kind::nothing || right.kind == Kind::nothing)
    return identity(e, i, left, right);
  if (symbol.ends_with("in")) return membership(e, i, left, right);
  if (is_tensor(left) || is_tensor(right)) {
    const Argument a{left, "", at(e.operands[i]).range}, b{right, "", at(e.operands[i + 1]).range};
    return each(
        symbol, {a, b}, [&](const auto& cell) { return compare(e, i, cell[0].value, cell[1].value); }, e.range);
  }
  if (left.kind == Kind::text || right.kind == Kind::text) {
    if (left.is_flag || right.is_flag) return fail(e.range, "not all of this text is known here");
    const bool same = left.kind == right.kind && left.name == right.name;
    return flag(same == (symbol == "=="), e.range);
  }
  const Range left_range = at(e.operands[i]).range;
  const Range right_range = at(e.operands[i + 1]).range;
  const Range range{at(e.operands[i]).outer.begin, at(e.operands[i + 1]).outer.end};
  const Range whole = e.symbols.size() == 1 ? e.range : range;
  return compare_values(symbol, {left, "", left_range}, {right, "", right_range}, range, whole);
}

Value ExpressionCompiler::compare_values(const std::string& symbol, const Argument& left, const Argument& right,
                                         Range range, Range whole) {
  if (left.value.kind == Value::Kind::ratio || right.value.kind == Value::Kind::ratio)
    return compare_fractions(symbol, left.value, right.value, whole);
  const NodeId a = as_node(left.value, left.range);
  const NodeId b = as_node(right.value, right.range);
  if (failed()) return {};
  const NodeId first = as_int(a);
  return compare_integers(symbol, first, as_int(b), {no_node, no_node, no_node, symbol, range, left.range, right.range},
                          whole);
}

Value ExpressionCompiler::compare_integers(const std::string& symbol, NodeId a, NodeId b, Comparison written,
                                           Range range) {
  static const std::map<std::string_view, Op> all{{"<", Op::less},    {"<=", Op::less_equal},
                                                  {">", Op::greater}, {">=", Op::greater_equal},
                                                  {"==", Op::equal},  {"!=", Op::not_equal}};
  const Value made = make(all.at(symbol), true, range, a, b);
  if (!failed() && m_compared.insert(made.node).second) {
    written.node = made.node;
    written.left = a;
    written.right = b;
    m_out.code.comparisons.push_back(std::move(written));
  }
  return made;
}

/// With None, or with True and False.
Value ExpressionCompiler::identity(const Expression& e, std::size_t i, const Value& left, const Value& right) {
  using Kind = Value::Kind;
  const std::string& symbol = e.symbols[i];
  const bool wanted = symbol == "is" || symbol == "==";
  if (left.kind == Kind::nothing || right.kind == Kind::nothing) {
    if (symbol != "is" && symbol != "is not" && symbol != "==" && symbol != "!=")
      return fail(e.range, "None has no order; ask for it with is None");
    return flag((left.kind == right.kind) == wanted, e.range);
  }
  const NodeId a = as_node(left, at(e.operands[i]).range);
  const NodeId b = as_node(right, at(e.operands[i + 1]).range);
  if (failed()) return {};
  if (!node(b).is_bool) return fail(e.range, "is compares with None, True or False; compare numbers with ==");
  const NodeId first = as_int(a);
  return make(wanted ? Op::equal : Op::not_equal, true, e.range, first, as_int(b));
}

/// x in (a, b): x equals one of them.
Value ExpressionCompiler::membership(const Expression& e, std::size_t i, const Value& left, const Value& right) {
  const bool wanted = e.symbols[i] == "in";
  if (right.kind == Value::Kind::text && left.kind == Value::Kind::text)
    return flag((right.name.find(left.name) != std::string::npos) == wanted, e.range);
  if (right.kind == Value::Kind::dictionary) {
    const bool has = found_item(right, {left, "", at(e.operands[i]).range}).has_value();
    return failed() ? Value{} : flag(has == wanted, e.range);
  }
  const bool is_list = right.kind == Value::Kind::tuple || is_tensor(right) || right.kind == Value::Kind::free_name;
  if (!is_list) return fail(at(e.operands[i + 1]).range, "in is followed by values in parentheses, such as (0, 1, 2)");
  Value any = flag(false, e.range);
  for (const Value& item : items_in({right, "", at(e.operands[i + 1]).range})) {
    if (left.kind == Value::Kind::text || item.kind == Value::Kind::text) {
      if (left.kind == item.kind && left.name == item.name) any = flag(true, e.range);
      continue;
    }
    const NodeId a = as_node(left, at(e.operands[i]).range);
    const NodeId b = as_node(item, at(e.operands[i + 1]).range);
    if (failed()) return {};
    const NodeId first = as_int(a);
    const Value same = make(Op::equal, true, e.range, first, as_int(b));
    any = failed()                            ? Value{}
          : node(any.node).op == Op::constant ? same
                                              : make(Op::logical_or, true, e.range, any.node, same.node);
    if (failed()) return {};
  }
  return wanted ? any : make(Op::logical_not, true, e.range, any.node);
}

Value ExpressionCompiler::junction(const Expression& e, Scope& scope) {
  const bool is_and = e.kind == ExpressionKind::conjunction;
  Value all = expression(e.operands[0], scope);
  Range range = at(e.operands[0]).range;
  for (std::size_t i = 1; i < e.operands.size() && !failed(); ++i) {
    // What decides it before any cell is looked at is left out, and what it keeps from being asked.
    const bool plain = all.kind == Value::Kind::node && node(all.node).op == Op::constant &&
                       at(e.operands[i - 1]).kind == ExpressionKind::boolean;
    if (const auto known = plain ? std::nullopt : decided(all)) {
      if (*known != is_and) return all;
      all = expression(e.operands[i], scope);
      range = at(e.operands[i]).range;
      continue;
    }
    const NodeId left = as_node(all, range);
    const NodeId right = operand(e.operands[i], scope);
    if (failed()) return {};
    warn_of_tensors(e.range, left, e.name, "write (a) " + std::string(is_and ? "&" : "|") + " (b)");
    all = joined(e, is_and, left, right);
  }
  return failed() ? Value{} : all;
}

Value ExpressionCompiler::joined(const Expression& e, bool is_and, NodeId left, NodeId right) {
  if (node(left).is_bool && node(right).is_bool)
    return make(is_and ? Op::and_then : Op::or_else, true, e.range, left, right);
  // Python gives one of the two integers.
  const NodeId condition = as_bool(left);
  const NodeId kept = as_int(left);
  const NodeId other = as_int(right);
  return make(Op::select, false, e.range, condition, is_and ? other : kept, is_and ? kept : other);
}

Value ExpressionCompiler::negation(const Expression& e, Scope& scope) {
  const Value value = expression(e.operands[0], scope);
  if (value.kind != Value::Kind::node && !failed())
    if (const auto known = decided(value)) return flag(!*known, e.range);
  const NodeId a = as_node(value, at(e.operands[0]).range);
  if (failed()) return {};
  if (!node(a).is_bool)
    warn(e.range,
         "not of an integer asks whether it is zero; write " + shortened(written(at(e.operands[0]).range)) + " == 0");
  return make(Op::logical_not, true, e.range, as_bool(a));
}

Value ExpressionCompiler::ternary(const Expression& e, Scope& scope) {
  const Value condition = expression(e.operands[0], scope);
  if (failed()) return {};
  const bool plain = at(e.operands[0]).kind == ExpressionKind::boolean;
  if (const auto known = plain ? std::nullopt : decided(condition))
    return expression(e.operands[*known ? 1 : 2], scope);
  const NodeId asked = as_node(condition, at(e.operands[0]).range);
  const Value yes = expression(e.operands[1], scope);
  const Value no = expression(e.operands[2], scope);
  if (failed()) return {};
  warn_of_tensors(e.range, asked, "if", "write torch.where(condition, x, y)");
  return either(asked, {yes, "", at(e.operands[1]).range}, {no, "", at(e.operands[2]).range}, e.range, Op::select);
}

Value ExpressionCompiler::either(NodeId condition, const Argument& yes, const Argument& no, Range range, Op op) {
  using Kind = Value::Kind;
  if (yes.value.kind == Kind::callable && no.value.kind == Kind::callable) {
    Value value{.kind = Kind::callable};
    value.callable = new_callable({.kind = Callable::Kind::chosen,
                                   .members = {yes.value.callable, no.value.callable},
                                   .condition = as_bool(condition)});
    return value;
  }
  if (yes.value.kind == Kind::ratio || no.value.kind == Kind::ratio) {
    const Value a = as_ratio(yes), b = as_ratio(no);
    if (failed()) return {};
    const Value above = chosen(op, range, {condition, a.node, b.node});
    return failed() ? Value{} : ratio_of(above, chosen(op, range, {condition, a.denominator, b.denominator}).node);
  }
  const NodeId a = as_node(yes.value, yes.range);
  const NodeId b = as_node(no.value, no.range);
  return failed() ? Value{} : chosen(op, range, {condition, a, b});
}

Value ExpressionCompiler::chosen(Op op, Range range, std::array<NodeId, 3> operands) {
  if (failed()) return {};
  const auto [condition, yes, no] = operands;
  const bool is_bool = node(yes).is_bool && node(no).is_bool;
  const NodeId a = as_bool(condition);
  const NodeId b = is_bool ? yes : as_int(yes);
  return make(op, is_bool, range, a, b, is_bool ? no : as_int(no));
}

/// torch asks a tensor for one truth value where Python's own words are used.
void ExpressionCompiler::warn_of_tensors(Range range, NodeId asked, const std::string& word,
                                         const std::string& advice) {
  if (differs_by_cell(asked)) warn(range, word + torch_raises + advice);
}

bool ExpressionCompiler::differs_by_cell(NodeId id) const {
  if (id == no_node) return false;
  std::vector<bool> seen(static_cast<std::size_t>(id) + 1);
  std::vector<NodeId> open{id};
  while (!open.empty()) {
    const NodeId next = open.back();
    open.pop_back();
    if (next == no_node || seen[static_cast<std::size_t>(next)]) continue;
    seen[static_cast<std::size_t>(next)] = true;
    const Node& n = node(next);
    const bool is_number = n.op == Op::variable && (n.value == static_cast<Index>(Variable::past_len) ||
                                                    n.value == static_cast<Index>(Variable::q_len) ||
                                                    n.value == static_cast<Index>(Variable::kv_len));
    if (n.op == Op::element || (n.op == Op::variable && !is_number)) return true;
    open.insert(open.end(), {n.a, n.b, n.c});
  }
  return false;
}

}  // namespace vqscope::language
