// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/expression_compiler.h"

#include "core/base/text.h"
#include "core/mask/language/names/known_names.h"

namespace vqscope::language {

Value ExpressionCompiler::element(const Expression& e, Scope& scope) {
  const Expression& base = at(e.operands[0]);
  const Value object = expression(e.operands[0], scope);
  if (!failed() && object.kind == Value::Kind::dictionary) return item_at(object, subscript_key(e, scope));
  const Value array = indexable(object);
  const auto subscripts = failed() ? std::vector<Subscript>() : subscripts_of(e, scope);
  if (failed()) return {};
  if (array.kind == Value::Kind::tuple) return list_element(array, subscripts, e.range);
  if (is_of_tensor(array, subscripts)) {
    const TensorPtr tensor = array_at({array, "", base.range});
    if (!tensor) return {};
    // x[b, kv_idx] of a list: the values given are those of this b.
    auto wanted = subscripts;
    const auto is_batch_index = [&](const Subscript& s) {
      return s.kind == Subscript::Kind::value && s.value.value.kind == Value::Kind::node &&
             is_batch(s.value.value.node);
    };
    while (static_cast<Index>(wanted.size()) > tensor->sides() && is_batch_index(wanted.front()))
      wanted.erase(wanted.begin());
    return wanted.empty() ? array : read(tensor, wanted, base.range);
  }
  return plain_element(array, subscripts, e);
}

/// d[a, b] has the key (a, b).
Argument ExpressionCompiler::subscript_key(const Expression& e, Scope& scope) {
  const Range range{at(e.operands[1]).range.begin, at(e.operands.back()).range.end};
  if (e.operands.size() == 2) return {expression(e.operands[1], scope), "", range};
  return {tuple_of(items_of({e.operands.begin() + 1, e.operands.end()}, scope)), "", range};
}

std::vector<ExpressionCompiler::Subscript> ExpressionCompiler::subscripts_of(const Expression& e, Scope& scope) {
  std::vector<Subscript> all;
  for (std::size_t i = 1; i < e.operands.size() && !failed(); ++i) {
    const Expression& one = at(e.operands[i]);
    if (one.kind == ExpressionKind::ellipsis) {
      all.push_back({.kind = Subscript::Kind::every});
      continue;
    }
    if (one.kind != ExpressionKind::slice) {
      all.push_back({.value = {expression(e.operands[i], scope), "", one.range}});
      continue;
    }
    Subscript slice{.kind = Subscript::Kind::slice};
    std::optional<Index>* parts[] = {&slice.first, &slice.end, &slice.step};
    for (std::size_t k = 0; k < 3 && !failed(); ++k) {
      const Argument part{expression(one.operands[k], scope), "", at(one.operands[k]).range};
      if (!failed() && part.value.kind != Value::Kind::nothing) *parts[k] = number(part);
    }
    all.push_back(std::move(slice));
  }
  return all;
}

bool ExpressionCompiler::is_of_tensor(const Value& array, const std::vector<Subscript>& subscripts) const {
  using Kind = Subscript::Kind;
  if (array.kind == Value::Kind::tensor) return true;
  if (array.kind != Value::Kind::free_name && array.kind != Value::Kind::array) return false;
  if (array.kind == Value::Kind::free_name && is_given(array) &&
      m_given.arrays.find(array.name)->second.shape.size() > 1)
    return true;
  Index indices = 0;
  for (const Subscript& s : subscripts) {
    const bool is_whole = s.kind == Kind::every || (s.kind == Kind::slice && !s.first && !s.end && !s.step);
    if (is_whole && subscripts.size() > 1) continue;
    if (s.kind != Kind::value || s.value.value.kind == Value::Kind::nothing || is_tensor(s.value.value) ||
        s.value.value.kind == Value::Kind::tuple)
      return true;
    const bool is_b = s.value.value.kind == Value::Kind::node && is_batch(s.value.value.node);
    indices += is_b && indices == 0 ? 0 : 1;
  }
  return indices > 1;
}

Value ExpressionCompiler::plain_element(const Value& array, const std::vector<Subscript>& subscripts,
                                        const Expression& e) {
  std::vector<NodeId> indices;
  for (const Subscript& s : subscripts)
    if (s.kind == Subscript::Kind::value) indices.push_back(as_node(s.value.value, s.value.range));
  if (failed()) return {};
  // x[b, kv_idx]: the values given are those of this b.
  while (indices.size() > 1 && is_batch(indices.front())) indices.erase(indices.begin());
  const bool keeps_batch = indices.size() == 1 && is_batch(indices.front()) && subscripts.size() > 1;
  if (indices.empty() || keeps_batch) return array;
  if (array.kind == Value::Kind::shape) return of_node(array.node);
  if (array.kind == Value::Kind::array) return element_of(array.place, as_int(indices.front()), e.range);
  if (array.kind != Value::Kind::free_name || indices.size() > 1)
    return fail(at(e.operands[0]).range, "only an array can be indexed, and a name that is free in the text is one");
  return array_element(array, as_int(indices.front()), e.range);
}

Value ExpressionCompiler::list_element(const Value& list, const std::vector<Subscript>& subscripts, Range range) {
  const auto size = static_cast<Index>(list.items->size());
  if (subscripts.size() != 1) return fail(range, "a list has one index; make an array of it with torch.tensor");
  const Subscript& only = subscripts.front();
  if (only.kind == Subscript::Kind::value) {
    const NodeId index = as_node(only.value.value, only.value.range);
    return failed() ? Value{} : of_tuple(list, index, range);
  }
  Tensor places{.shape = {size}};
  for (Index i = 0; i < size; ++i) places.numbers.push_back(i);
  std::vector<Value> items;
  const Value picked = read(std::make_shared<Tensor>(std::move(places)), subscripts, range);
  if (failed()) return {};
  for (const Index place : picked.tensor->numbers) items.push_back((*list.items)[static_cast<std::size_t>(place)]);
  return tuple_of(std::move(items));
}

bool ExpressionCompiler::is_given(const Value& value) const {
  return value.kind == Value::Kind::free_name && m_given.arrays.contains(value.name);
}

/// key_valid as an array; and the row of a table that x[b] stands for where it is indexed once more.
Value ExpressionCompiler::indexable(const Value& value) {
  if (failed() || value.kind != Value::Kind::node) return value;
  NodeId id = value.node;
  if (node(id).op == Op::to_bool) id = node(id).a;
  const Node& n = node(id);
  // What is known of each token, indexed, is an array of that name.
  if (n.op == Op::variable)
    for (const char* name : {"key_valid", "q_doc", "kv_doc", "q_pos", "kv_pos"})
      if (variable_of(name) == static_cast<Variable>(n.value)) return {.kind = Value::Kind::free_name, .name = name};
  if (n.op == Op::element && is_batch(n.a)) return {.kind = Value::Kind::array, .place = n.value};
  return value;
}

/// How long an array is. One of a batch has its values of this b, and the length of a row on every side.
Value ExpressionCompiler::shape_of(const Value& given, Range range) {
  const Value value = indexable(given);
  if (failed()) return {};
  if (value.kind == Value::Kind::dictionary)
    return tuple_of({number_value(static_cast<Index>(value.dictionary->items().size()), range)});
  if (value.kind == Value::Kind::tuple)
    return tuple_of({of_node(m_build.constant(static_cast<Index>(value.items->size()), false, range))});
  const bool is_table = is_given(value) && m_given.arrays.find(value.name)->second.shape.size() > 1;
  if (value.kind == Value::Kind::tensor || is_table) {
    const TensorPtr tensor = as_tensor({value, "", range});
    if (!tensor) return {};
    std::vector<Value> sides;
    for (const Index side : tensor->shape) sides.push_back(of_node(m_build.constant(side, false, range)));
    return tuple_of(std::move(sides));
  }
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
  if (value.kind == Value::Kind::tensor) {
    const Tensor& tensor = *value.tensor;
    if (tensor.sides() != 1 || !tensor.is_known())
      return fail(argument.range,
                  "a list of known numbers is needed here, this is an array of shape " + shape_text(tensor.shape));
    return {.kind = Value::Kind::array, .place = literal_array(tensor.numbers, {}, argument.range)};
  }
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
  return {.kind = Value::Kind::array, .place = literal_array(std::move(values), {}, argument.range)};
}

}  // namespace vqscope::language
