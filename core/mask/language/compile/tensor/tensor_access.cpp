// SPDX-License-Identifier: GPL-3.0-or-later
// Elements of arrays whose sizes are known, read and written.
#include "core/mask/language/compile/tensor/tensor_access.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_values.h"

#include <algorithm>

namespace vqscope::language {
namespace {

/// Elements whose indices differ by cell: reads of an array of the program.
Value by_cell(Compilation& c, const Tensor& from, const TensorPlaces& places, Range range) {
  if (!from.is_known()) return c.fail(range, "what differs by cell cannot be indexed by cell");
  if (from.size() == 0) return c.fail(range, "the array is empty");
  const bool is_list = from.shape.size() < 2;
  const Index array = c.literal_array(from.numbers, is_list ? std::vector<Index>() : from.shape, range);
  Tensor made{.shape = places.shape, .is_bool = from.is_bool};
  for (std::size_t i = 0; i < places.at.size() && !c.failed(); ++i) {
    NodeId place = places.moving[i];
    const NodeId fixed = c.build.constant(places.at[i], false, range);
    if (place == no_node)
      place = fixed;
    else if (places.at[i] != 0)
      place = c.make(Op::add, false, range, place, fixed).node;
    if (c.failed()) return {};
    const Value read = c.element_of(array, place, range);
    made.values.push_back(from.is_bool && !c.failed() ? c.of_node(c.as_bool(read.node)) : read);
  }
  return of_tensor(c, std::move(made), range);
}

/// Whether elements of it can be changed here.
bool may_change(Compilation& c, const Tensor& tensor, Range range) {
  if (tensor.choices < c.choices)
    return c.fail(range, "an array cannot be changed under an if that differs by cell; write torch.where"), false;
  if (tensor.memory.use_count() > 1)
    return c.fail(range, "this array shares its elements with another name; write .clone() there"), false;
  return true;
}

/// Converts what is written to an array to the array's type; fractions stay.
Value of_type(Compilation& c, const Value& value, bool is_bool) {
  if (value.kind != Value::Kind::node) return value;
  return c.of_node(is_bool ? c.as_bool(value.node) : c.as_int(value.node));
}

}  // namespace

Value read_elements(Compilation& c, const TensorPtr& from, const std::vector<Subscript>& subscripts, Range range) {
  const auto found = find_places(c, *from, subscripts, range);
  if (!found) return {};
  if (!found->moving.empty()) return by_cell(c, *from, *found, range);
  Tensor made = rearranged(*from, found->shape, found->at);
  const bool is_copy = std::ranges::any_of(
      subscripts, [&](const Subscript& s) { return s.kind == Subscript::Kind::value && is_tensor(c, s.value.value); });
  if (is_copy) made.memory = Tensor().memory;
  return of_tensor(c, std::move(made), range);
}

void write_elements(Compilation& c, const TensorPtr& to, const std::vector<Subscript>& subscripts,
                    const Argument& value, Range range) {
  if (c.failed() || !may_change(c, *to, range)) return;
  const auto found = find_places(c, *to, subscripts, range);
  if (!found) return;
  if (!found->moving.empty())
    return void(c.fail(range, "the place of this assignment depends on the cell; a mask can only read there"));
  const TensorPtr written = as_tensor(c, value);
  if (!written) return;
  auto shape = written->shape;
  while (shape.size() > found->shape.size() && shape.front() == 1) shape.erase(shape.begin());
  const auto common = broadcast(shape, found->shape);
  if (!common || *common != found->shape)
    return void(c.fail(range, "a value of shape {} does not fit into {}", shape_text(written->shape),
                       shape_text(found->shape)));
  const auto from = broadcast_places(shape, found->shape);
  if (!written->is_known() && to->is_known()) {
    if (to->size() > most_cell_values)
      return void(c.fail(range,
                         "values that differ by cell are written to an array of at most {} elements, this has {}",
                         most_cell_values, to->size()));
    std::vector<Value> values;
    for (Index i = 0; i < to->size(); ++i) values.push_back(element_at(c, *to, i, range));
    to->values = std::move(values);
    to->numbers.clear();
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto at = static_cast<std::size_t>(found->at[i]);
    if (!to->is_known())
      to->values[at] = of_type(c, element_at(c, *written, from[i], range), to->is_bool);
    else
      to->numbers[at] = to->is_bool ? (written->numbers[static_cast<std::size_t>(from[i])] != 0 ? 1 : 0)
                                    : written->numbers[static_cast<std::size_t>(from[i])];
  }
}

std::vector<Subscript> moved_to(Compilation& c, const Tensor& indices, std::size_t side, Range range) {
  std::vector<Subscript> subscripts;
  const auto strides = strides_of(indices.shape);
  for (std::size_t i = 0; i < indices.shape.size(); ++i) {
    Tensor own{.shape = indices.shape};
    if (i == side) {
      own.numbers = indices.numbers;
      own.values = indices.values;
    }
    for (Index k = 0; k < indices.size() && i != side; ++k) own.numbers.push_back(k / strides[i] % indices.shape[i]);
    subscripts.push_back({.value = {of_tensor(c, std::move(own), range), "", range}});
  }
  return subscripts;
}

}  // namespace vqscope::language
