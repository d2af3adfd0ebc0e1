// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/expression_compiler.h"

#include "core/base/text.h"

namespace vqscope::language {

Value ExpressionCompiler::element(const Expression& e, Scope& scope) {
  const Expression& base = at(e.operands[0]);
  if (base.kind == ExpressionKind::index && base.operands.size() == 2 && is_batch_name(base.operands[1], scope)) {
    Expression once = e;
    once.operands[0] = base.operands[0];
    return element(once, scope);
  }
  const Value array = indexable(expression(e.operands[0], scope));
  if (failed()) return {};
  std::vector<NodeId> indices;
  for (std::size_t i = 1; i < e.operands.size(); ++i) {
    // x[b, :] and x[..., kv_idx]: the whole of what is left.
    if (at(e.operands[i]).kind == ExpressionKind::unsupported && e.operands.size() > 2) continue;
    indices.push_back(operand(e.operands[i], scope));
  }
  if (failed()) return {};
  // x[b, kv_idx]: the values given are those of this b.
  while (indices.size() > 1 && is_batch(indices.front())) indices.erase(indices.begin());
  if (indices.size() > 1)
    return fail(e.range, "arrays have one index here; only b and h may stand before it, as in x[b, kv_idx]");
  if (indices.empty()) return array;
  if (array.kind == Value::Kind::shape) return of_node(array.node);
  if (array.kind == Value::Kind::tuple) return of_tuple(array, indices.front(), e.range);
  if (array.kind == Value::Kind::array) return element_of(array.place, as_int(indices.front()), e.range);
  if (array.kind != Value::Kind::free_name)
    return fail(base.range, "only an array can be indexed, and a name that is free in the text is one");
  return array_element(array, as_int(indices.front()), e.range);
}

/// key_valid as an array; and the row of a table that x[b] stands for where it is indexed once more.
Value ExpressionCompiler::indexable(const Value& value) {
  if (failed() || value.kind != Value::Kind::node) return value;
  NodeId id = value.node;
  if (node(id).op == Op::to_bool) id = node(id).a;
  const Node& n = node(id);
  if (n.op == Op::variable && static_cast<Variable>(n.value) == Variable::key_valid)
    return {.kind = Value::Kind::free_name, .name = "key_valid"};
  if (n.op == Op::element && is_batch(n.a)) return {.kind = Value::Kind::array, .place = n.value};
  return value;
}

/// How long an array is. One of a batch has its values of this b, and the length of a row on every side.
Value ExpressionCompiler::shape_of(const Value& given, Range range) {
  const Value value = indexable(given);
  if (failed()) return {};
  if (value.kind == Value::Kind::tuple)
    return tuple_of({of_node(m_build.constant(static_cast<Index>(value.items->size()), false, range))});
  if (value.kind == Value::Kind::array)
    return {.kind = Value::Kind::shape, .node = m_build.make({.op = Op::length, .value = value.place, .range = range})};
  if (value.kind != Value::Kind::free_name) return fail(range, "only an array has a shape");
  const Value length = array_length(value, range);
  return failed() ? Value{} : Value{.kind = Value::Kind::shape, .node = length.node};
}

/// One of the values that a, b = x gives.
Value ExpressionCompiler::item_of(const Value& all, Index i, Range range) {
  if (all.kind == Value::Kind::shape) return of_node(all.node);
  const NodeId index = m_build.constant(i, false, range);
  return all.kind == Value::Kind::array ? element_of(all.place, index, range) : array_element(all, index, range);
}

bool ExpressionCompiler::is_batch_name(ExpressionId id, Scope& scope) {
  if (at(id).kind != ExpressionKind::name) return false;
  const Value value = expression(id, scope);
  return value.kind == Value::Kind::node && is_batch(value.node);
}

bool ExpressionCompiler::is_batch(NodeId id) const {
  const Node& n = node(id);
  return n.op == Op::variable &&
         (n.value == static_cast<Index>(Variable::b) || n.value == static_cast<Index>(Variable::h));
}

Value ExpressionCompiler::of_tuple(const Value& tuple, NodeId index, Range range) {
  const auto size = static_cast<Index>(tuple.items->size());
  if (const auto known = settled(index)) {
    const Index at = *known < 0 ? *known + size : *known;
    if (at < 0 || at >= size)
      return fail(range, "a list of " + to_text(size) + " is indexed with a number from 0 to " + to_text(size - 1) +
                             ", found " + to_text(*known));
    return (*tuple.items)[static_cast<std::size_t>(at)];
  }
  const Value array = as_array({tuple, "", range});
  return failed() ? Value{} : element_of(array.place, as_int(index), range);
}

/// A list of integers that are known as an array; a free name as one that is given.
Value ExpressionCompiler::as_array(const Argument& argument) {
  const Value value = indexable(argument.value);
  if (failed()) return {};
  if (value.kind == Value::Kind::array) return value;
  if (value.kind == Value::Kind::free_name) {
    const Index place = array_place(value, IndexedBy::other, argument.range);
    return {.kind = Value::Kind::array, .place = place};
  }
  if (value.kind != Value::Kind::tuple) return fail(argument.range, "an array is needed here");
  std::vector<Index> values;
  for (const Value& item : *value.items) {
    if (item.kind == Value::Kind::tuple) return fail(argument.range, "arrays have one index here");
    const NodeId id = as_node(item, argument.range);
    const auto known = failed() ? std::nullopt : settled(id);
    if (failed()) return {};
    if (!known) return fail(argument.range, "the values of a list that is indexed must be known integers");
    values.push_back(*known);
  }
  return {.kind = Value::Kind::array, .place = literal_array(std::move(values), argument.range)};
}

}  // namespace vqscope::language
