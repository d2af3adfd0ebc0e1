// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/tree/tree.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_access.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/names/known_names.h"

namespace vqscope::language {
namespace {

bool is_batch(const Compilation& c, NodeId id) {
  const Node& n = c.node(id);
  return n.op == Op::variable &&
         (n.value == static_cast<Index>(Variable::b) || n.value == static_cast<Index>(Variable::h));
}

/// Whether an index selects more than one element of a list, so that the values must be known.
bool is_of_tensor(const Compilation& c, const Value& array, const std::vector<Subscript>& subscripts) {
  using Kind = Subscript::Kind;
  if (array.kind == Value::Kind::tensor) return true;
  if (array.kind != Value::Kind::free_name && array.kind != Value::Kind::array) return false;
  if (array.kind == Value::Kind::free_name && is_given(c, array) &&
      c.given.arrays.find(array.name)->second.shape.size() > 1)
    return true;
  Index indices = 0;
  for (const Subscript& s : subscripts) {
    const bool is_whole = s.kind == Kind::every || (s.kind == Kind::slice && !s.first && !s.end && !s.step);
    if (is_whole && subscripts.size() > 1) continue;
    if (s.kind != Kind::value || s.value.value.kind == Value::Kind::nothing || is_tensor(c, s.value.value) ||
        s.value.value.kind == Value::Kind::tuple)
      return true;
    const bool is_b = s.value.value.kind == Value::Kind::node && is_batch(c, s.value.value.node);
    indices += is_b && indices == 0 ? 0 : 1;
  }
  return indices > 1;
}

/// An element of an array of the program: one index, or b and h before it.
Value plain_element(Compilation& c, const Value& array, const std::vector<Subscript>& subscripts, const Expression& e) {
  std::vector<NodeId> indices;
  for (const Subscript& s : subscripts)
    if (s.kind == Subscript::Kind::value) indices.push_back(c.as_node(s.value.value, s.value.range));
  if (c.failed()) return {};
  // x[b, kv_idx]: the values given are those of this b.
  while (indices.size() > 1 && is_batch(c, indices.front())) indices.erase(indices.begin());
  const bool keeps_batch = indices.size() == 1 && is_batch(c, indices.front()) && subscripts.size() > 1;
  if (indices.empty() || keeps_batch) return array;
  if (array.kind == Value::Kind::shape) return c.of_node(array.node);
  if (array.kind == Value::Kind::array) return c.element_of(array.place, c.as_int(indices.front()), e.range);
  if (array.kind != Value::Kind::free_name || indices.size() > 1)
    return c.fail(c.at(e.operands[0]).range,
                  "only an array can be indexed, and a name that is free in the text is one");
  return c.array_element(array, c.as_int(indices.front()), e.range);
}

Value of_tuple(Compilation& c, const Value& tuple, NodeId index, Range range) {
  const auto size = static_cast<Index>(tuple.items->size());
  if (const auto known = c.settled(index)) {
    const Index at = *known < 0 ? *known + size : *known;
    if (at < 0 || at >= size)
      return c.fail(range, "a list of {} is indexed with a number from 0 to {}, found {}", size, size - 1, *known);
    return (*tuple.items)[static_cast<std::size_t>(at)];
  }
  const Value array = as_array(c, {tuple, "", range});
  return c.failed() ? Value{} : c.element_of(array.place, c.as_int(index), range);
}

/// An item of a list of Python, or the items of a slice.
Value list_element(Compilation& c, const Value& list, const std::vector<Subscript>& subscripts, Range range) {
  const auto size = static_cast<Index>(list.items->size());
  if (subscripts.size() != 1) return c.fail(range, "a list has one index; make an array of it with torch.tensor");
  const Subscript& only = subscripts.front();
  if (only.kind == Subscript::Kind::value) {
    const NodeId index = c.as_node(only.value.value, only.value.range);
    return c.failed() ? Value{} : of_tuple(c, list, index, range);
  }
  Tensor places{.shape = {size}};
  for (Index i = 0; i < size; ++i) places.numbers.push_back(i);
  std::vector<Value> items;
  const Value picked = read_elements(c, std::make_shared<Tensor>(std::move(places)), subscripts, range);
  if (c.failed()) return {};
  for (const Index place : picked.tensor->numbers) items.push_back((*list.items)[static_cast<std::size_t>(place)]);
  return tuple_of(c, std::move(items));
}

/// key_valid as an array, or the row of a table that x[b] means if it is indexed again.
Value indexable(Compilation& c, const Value& value) {
  if (c.failed() || value.kind != Value::Kind::node) return value;
  NodeId id = value.node;
  if (c.node(id).op == Op::to_bool) id = c.node(id).a;
  const Node& n = c.node(id);
  // An indexed variable of each token is the array of that name.
  if (n.op == Op::variable)
    for (const char* name : {"key_valid", "q_doc", "kv_doc", "q_pos", "kv_pos"})
      if (variable_of(name) == static_cast<Variable>(n.value)) return {.kind = Value::Kind::free_name, .name = name};
  if (n.op == Op::element && is_batch(c, n.a)) return {.kind = Value::Kind::array, .place = n.value};
  return value;
}

/// first:end:step, each a number or None.
Subscript slice_subscript(Compilation& c, const std::array<Argument, 3>& values) {
  Subscript slice{.kind = Subscript::Kind::slice};
  std::optional<Index>* parts[] = {&slice.first, &slice.end, &slice.step};
  for (std::size_t k = 0; k < 3 && !c.failed(); ++k)
    if (values[k].value.kind != Value::Kind::nothing) *parts[k] = known_number(c, values[k]);
  return slice;
}

/// The parts of a slice as they are written, or those of a value that slice() made; nothing:
/// another subscript.
std::optional<std::array<Argument, 3>> slice_parts(Compilation& c, const Expression& one, const Value& value,
                                                   Scope& scope) {
  std::array<Argument, 3> parts;
  const bool is_written = one.kind == ExpressionKind::slice;
  if (!is_written && (value.kind != Value::Kind::tuple || value.name != slice_name)) return std::nullopt;
  for (std::size_t k = 0; k < 3; ++k)
    parts[k] = is_written ? Argument{compile_expression(c, one.operands[k], scope), "", c.at(one.operands[k]).range}
                          : Argument{(*value.items)[k], "", one.range};
  return parts;
}

}  // namespace

Value compile_index(Compilation& c, const Expression& e, Scope& scope) {
  const Expression& base = c.at(e.operands[0]);
  const Value object = compile_expression(c, e.operands[0], scope);
  if (!c.failed() && object.kind == Value::Kind::dictionary) return item_at(c, object, subscript_key(c, e, scope));
  const Value array = indexable(c, object);
  const auto subscripts = c.failed() ? std::vector<Subscript>() : subscripts_of(c, e, scope);
  if (c.failed()) return {};
  if (array.kind == Value::Kind::tuple) return list_element(c, array, subscripts, e.range);
  if (is_of_tensor(c, array, subscripts)) {
    const TensorPtr tensor = array_at(c, {array, "", base.range});
    if (!tensor) return {};
    // x[b, kv_idx] of a list: the values given are those of this b.
    auto wanted = subscripts;
    const auto is_batch_index = [&](const Subscript& s) {
      return s.kind == Subscript::Kind::value && s.value.value.kind == Value::Kind::node &&
             is_batch(c, s.value.value.node);
    };
    while (static_cast<Index>(wanted.size()) > tensor->sides() && is_batch_index(wanted.front()))
      wanted.erase(wanted.begin());
    return wanted.empty() ? array : read_elements(c, tensor, wanted, base.range);
  }
  return plain_element(c, array, subscripts, e);
}

Argument subscript_key(Compilation& c, const Expression& e, Scope& scope) {
  const Range range{c.at(e.operands[1]).range.begin, c.at(e.operands.back()).range.end};
  if (e.operands.size() == 2) return {compile_expression(c, e.operands[1], scope), "", range};
  return {tuple_of(c, items_of(c, {e.operands.begin() + 1, e.operands.end()}, scope)), "", range};
}

std::vector<Subscript> subscripts_of(Compilation& c, const Expression& e, Scope& scope) {
  std::vector<Subscript> all;
  for (std::size_t i = 1; i < e.operands.size() && !c.failed(); ++i) {
    const Expression& one = c.at(e.operands[i]);
    if (one.kind == ExpressionKind::ellipsis) {
      all.push_back({.kind = Subscript::Kind::every});
      continue;
    }
    const bool is_written = one.kind == ExpressionKind::slice;
    const Value value = is_written ? Value{} : compile_expression(c, e.operands[i], scope);
    if (c.failed()) return {};
    const auto parts = slice_parts(c, one, value, scope);
    if (c.failed()) return {};
    all.push_back(parts ? slice_subscript(c, *parts) : Subscript{.value = {value, "", one.range}});
  }
  return all;
}

bool is_given(const Compilation& c, const Value& value) {
  return value.kind == Value::Kind::free_name && c.given.arrays.contains(value.name);
}

Value shape_of(Compilation& c, const Value& given, Range range) {
  const Value value = indexable(c, given);
  if (c.failed()) return {};
  if (value.kind == Value::Kind::dictionary)
    return tuple_of(c, {c.number_value(static_cast<Index>(value.dictionary->items().size()), range)});
  if (value.kind == Value::Kind::tuple)
    return tuple_of(c, {c.number_value(static_cast<Index>(value.items->size()), range)});
  const bool is_table = is_given(c, value) && c.given.arrays.find(value.name)->second.shape.size() > 1;
  if (value.kind == Value::Kind::tensor || is_table) {
    const TensorPtr tensor = as_tensor(c, {value, "", range});
    return tensor ? sizes_list(c, tensor->shape, range) : Value{};
  }
  if (value.kind == Value::Kind::array)
    return {.kind = Value::Kind::shape, .node = c.build.make({.op = Op::length, .value = value.place, .range = range})};
  if (value.kind != Value::Kind::free_name) return c.fail(range, "only an array has a shape");
  const Value length = c.array_length(value, range);
  return c.failed() ? Value{} : Value{.kind = Value::Kind::shape, .node = length.node};
}

Value item_of(Compilation& c, const Value& all, Index i, Range range) {
  if (all.kind == Value::Kind::shape) return c.of_node(all.node);
  const NodeId index = c.build.constant(i, false, range);
  return all.kind == Value::Kind::array ? c.element_of(all.place, index, range) : c.array_element(all, index, range);
}

Value as_array(Compilation& c, const Argument& argument) {
  Value value = indexable(c, argument.value);
  if (c.failed()) return {};
  if (value.kind == Value::Kind::array) return value;
  if (value.kind == Value::Kind::tensor) {
    const Tensor& tensor = *value.tensor;
    if (tensor.sides() != 1 || !tensor.is_known())
      return c.fail(argument.range,
                    "a list of known numbers is needed here, this is an array of shape " + shape_text(tensor.shape));
    return {.kind = Value::Kind::array, .place = c.literal_array(tensor.numbers, {}, argument.range)};
  }
  if (value.kind == Value::Kind::free_name) {
    const Index place = c.array_place(value, IndexedBy::other, argument.range);
    return {.kind = Value::Kind::array, .place = place};
  }
  if (value.kind != Value::Kind::tuple) return c.fail(argument.range, "an array is needed here");
  std::vector<Index> values;
  for (const Value& item : *value.items) {
    if (item.kind == Value::Kind::tuple) return c.fail(argument.range, "arrays have one index here");
    const NodeId id = c.as_node(item, argument.range);
    const auto known = c.failed() ? std::nullopt : c.settled(id);
    if (c.failed()) return {};
    if (!known) return c.fail(argument.range, "the values of a list that is indexed must be known integers");
    values.push_back(*known);
  }
  return {.kind = Value::Kind::array, .place = c.literal_array(std::move(values), {}, argument.range)};
}

}  // namespace vqscope::language
