// SPDX-License-Identifier: GPL-3.0-or-later
// Elements of arrays whose sizes are known, read and written.
#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_places.h"

#include <algorithm>

namespace vqscope::language {

Value TensorWriter::read(const TensorPtr& from, const std::vector<Subscript>& subscripts, Range range) {
  const auto found = places(*from, subscripts, range);
  if (!found) return {};
  if (!found->moving.empty()) return by_cell(*from, *found, range);
  Tensor made = rearranged(*from, found->shape, found->at);
  const bool is_copy = std::ranges::any_of(
      subscripts, [&](const Subscript& s) { return s.kind == Subscript::Kind::value && is_tensor(s.value.value); });
  if (is_copy) made.memory = Tensor().memory;
  return of_tensor(std::move(made), range);
}

/// Elements whose places differ by cell: reads of an array of the program.
Value TensorWriter::by_cell(const Tensor& from, const Places& places, Range range) {
  if (!from.is_known()) return fail(range, "what differs by cell cannot be indexed by cell");
  if (from.size() == 0) return fail(range, "the array is empty");
  const bool is_list = from.shape.size() < 2;
  const Index array = literal_array(from.numbers, is_list ? std::vector<Index>() : from.shape, range);
  Tensor made{.shape = places.shape, .is_bool = from.is_bool};
  for (std::size_t i = 0; i < places.at.size() && !failed(); ++i) {
    NodeId place = places.moving[i];
    const NodeId fixed = m_build.constant(places.at[i], false, range);
    if (place == no_node)
      place = fixed;
    else if (places.at[i] != 0)
      place = make(Op::add, false, range, place, fixed).node;
    if (failed()) return {};
    const Value read = element_of(array, place, range);
    made.values.push_back(from.is_bool && !failed() ? of_node(as_bool(read.node)) : read);
  }
  return of_tensor(std::move(made), range);
}

bool TensorWriter::may_change(const Tensor& tensor, Range range) {
  if (tensor.choices < m_choices)
    return fail(range, "an array is changed only where an if holds that differs by cell; write torch.where"), false;
  if (tensor.memory.use_count() > 1)
    return fail(range, "what is changed here is seen through another name too, as a part of it; write .clone() there"),
           false;
  return true;
}

void TensorWriter::write(const TensorPtr& to, const std::vector<Subscript>& subscripts, const Argument& value,
                         Range range) {
  if (failed() || !may_change(*to, range)) return;
  const auto found = places(*to, subscripts, range);
  if (!found) return;
  if (!found->moving.empty()) return void(fail(range, "where this writes differs by cell; a mask only reads there"));
  const TensorPtr written = as_tensor(value);
  if (!written) return;
  auto shape = written->shape;
  while (shape.size() > found->shape.size() && shape.front() == 1) shape.erase(shape.begin());
  const auto common = broadcast(shape, found->shape);
  if (!common || *common != found->shape)
    return void(fail(
        range, "a value of shape " + shape_text(written->shape) + " does not fit into " + shape_text(found->shape)));
  const auto from = broadcast_places(shape, found->shape);
  if (!written->is_known() && to->is_known()) {
    if (to->size() > 4096) return void(fail(range, "values that differ by cell are written to an array this long"));
    std::vector<Value> values;
    for (Index i = 0; i < to->size(); ++i) values.push_back(item(*to, i, range));
    to->values = std::move(values);
    to->numbers.clear();
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto at = static_cast<std::size_t>(found->at[i]);
    if (!to->is_known())
      to->values[at] = item(*written, from[i], range);
    else
      to->numbers[at] = to->is_bool ? (written->numbers[static_cast<std::size_t>(from[i])] != 0 ? 1 : 0)
                                    : written->numbers[static_cast<std::size_t>(from[i])];
  }
}

}  // namespace vqscope::language
