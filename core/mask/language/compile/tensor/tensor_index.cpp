// SPDX-License-Identifier: GPL-3.0-or-later
// Which elements x[i], x[:, -1], x[rows, columns] and x[mask] mean.
#include "core/mask/language/compile/tensor/tensor_index.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_values.h"

#include <algorithm>

namespace vqscope::language {
namespace {

/// The elements that first:end:step selects along a dimension, as in Python.
std::optional<std::vector<Index>> sliced(Index size, std::optional<Index> first, std::optional<Index> end,
                                         std::optional<Index> step) {
  const Index by = step.value_or(1);
  if (by == 0) return std::nullopt;
  const auto bounded = [&](std::optional<Index> given, Index default_value) {
    if (!given) return default_value;
    const Index at = *given < 0 ? *given + size : *given;
    return by > 0 ? std::clamp<Index>(at, 0, size) : std::clamp<Index>(at, -1, size - 1);
  };
  std::vector<Index> all;
  const Index stop = bounded(end, by > 0 ? size : -1);
  for (Index i = bounded(first, by > 0 ? 0 : size - 1); by > 0 ? i < stop : i > stop; i += by) {
    all.push_back(i);
    if (by > size || by < -size) break;
  }
  return all;
}

/// The subscripts so far: dimensions of the result, and index arrays, which share dimensions.
struct Sides {
  std::vector<std::vector<Index>> offsets;  ///< for each dimension of the result, the offset of each element
  std::vector<Index> shared;                ///< the broadcast shape of the index arrays
  std::size_t shared_at = 0;                ///< dimension of the result before which they are placed
  bool last_was_array = false;
  std::vector<std::pair<TensorPtr, std::size_t>> arrays;  ///< with the dimension of the tensor that each indexes
  Index start = 0;                                        ///< offset of indices that are numbers
  NodeId moving = no_node;                                ///< offset of indices that differ by cell
};

/// An array of truth values selects the elements where it is true: one list of indices per
/// dimension.
bool expand_booleans(Compilation& c, const Tensor& tensor, std::vector<Subscript>& subscripts, Range range) {
  std::vector<Subscript> expanded;
  for (Subscript& one : subscripts) {
    const bool is_tensor_value = one.kind == Subscript::Kind::value && one.value.value.kind == Value::Kind::tensor;
    const Tensor* mask = is_tensor_value && one.value.value.tensor->is_bool ? one.value.value.tensor.get() : nullptr;
    if (!mask) {
      expanded.push_back(std::move(one));
      continue;
    }
    if (!mask->is_known()) return c.fail(range, "which elements this picks differs by cell; write torch.where"), false;
    if (mask->sides() > tensor.sides())
      return c.fail(range, "this picks along more dimensions than the array has"), false;
    const auto strides = strides_of(mask->shape);
    for (std::size_t side = 0; side < mask->shape.size(); ++side) {
      Tensor indices;
      for (Index i = 0; i < mask->size(); ++i)
        if (mask->numbers[static_cast<std::size_t>(i)] != 0)
          indices.numbers.push_back(i / strides[side] % mask->shape[side]);
      indices.shape = {indices.size()};
      expanded.push_back({.value = {of_tensor(c, std::move(indices), range), "", range}});
    }
  }
  subscripts = std::move(expanded);
  return !c.failed();
}

/// One subscript for each dimension of the tensor, and None for new ones; `...` and missing
/// subscripts select every element.
std::optional<std::vector<Subscript>> of_all_sides(Compilation& c, const Tensor& tensor,
                                                   std::vector<Subscript> subscripts, Range range) {
  if (!expand_booleans(c, tensor, subscripts, range)) return std::nullopt;
  const auto is_every = [](const Subscript& s) { return s.kind == Subscript::Kind::every; };
  const auto used = std::ranges::count_if(subscripts, [&](const auto& s) { return !s.is_new() && !is_every(s); });
  if (used > tensor.sides()) {
    c.fail(range, "an array of shape {} is indexed with {} indices", shape_text(tensor.shape), used);
    return std::nullopt;
  }
  auto every = std::ranges::find_if(subscripts, is_every);
  every = every == subscripts.end() ? every : subscripts.erase(every);
  subscripts.insert(every, static_cast<std::size_t>(tensor.sides() - used), {.kind = Subscript::Kind::slice});
  return subscripts;
}

std::optional<Index> wrapped(Compilation& c, Index index, Index size, Range range) {
  if (index >= -size && index < size) return index < 0 ? index + size : index;
  c.fail(range, "the index {} is out of range; this dimension has {}{}", index, size,
         size == 1 ? " element" : " elements");
  return std::nullopt;
}

NodeId sum_of(Compilation& c, NodeId a, NodeId b, Range range) {
  if (a == no_node || b == no_node) return a == no_node ? b : a;
  return c.make(Op::add, false, range, a, b).node;
}

/// Offset of an index that differs by cell along a dimension. Reading a list checks the index
/// itself.
NodeId offset_by_cell(Compilation& c, const Value& index, const Tensor& tensor, std::size_t side, Range range) {
  NodeId id = c.as_int(c.as_node(index, range));
  if (c.failed() || tensor.sides() == 1) return id;
  const Index size = tensor.shape[side], stride = strides_of(tensor.shape)[side];
  const bool is_checked = c.node(id).op == Op::along && c.node(id).value == size;
  if (!is_checked) id = c.of_node(c.build.make({.op = Op::along, .a = id, .value = size, .range = range})).node;
  if (c.failed() || stride == 1) return id;
  return c.make(Op::multiply, false, range, id, c.build.constant(stride, false, range)).node;
}

bool add_array(Compilation& c, const Tensor& tensor, const Argument& index, std::size_t side, Sides& sides,
               Range range) {
  const TensorPtr array = as_tensor(c, index);
  if (!array) return false;
  const auto common = broadcast(sides.shared, array->shape);
  if (!common || side >= tensor.shape.size()) {
    c.fail(range, "indices of shapes {} and {} do not fit together", shape_text(sides.shared),
           shape_text(array->shape));
    return false;
  }
  // The shared dimensions go where the first array was, or first if a slice is between two arrays.
  if (sides.arrays.empty())
    sides.shared_at = sides.offsets.size();
  else if (!sides.last_was_array)
    sides.shared_at = 0;
  sides.shared = *common;
  sides.last_was_array = true;
  sides.arrays.emplace_back(array, side);
  return true;
}

bool add_subscript(Compilation& c, const Tensor& tensor, const Subscript& subscript, std::size_t side, Sides& sides,
                   Range range) {
  const Value& value = subscript.value.value;
  const Index stride = subscript.is_new() ? 0 : strides_of(tensor.shape)[side];
  if (subscript.kind == Subscript::Kind::value && !subscript.is_new()) {
    if (is_tensor(c, value) || value.kind == Value::Kind::tuple)
      return add_array(c, tensor, subscript.value, side, sides, range);
    const NodeId id = c.as_int(c.as_node(value, subscript.value.range));
    if (c.failed()) return false;
    if (const auto known = c.settled_in_batch(id)) {
      const auto index = wrapped(c, *known, tensor.shape[side], range);
      sides.start += index.value_or(0) * stride;
    } else {
      sides.moving = sum_of(c, sides.moving, offset_by_cell(c, value, tensor, side, range), range);
    }
    return !c.failed();
  }
  const auto picked = subscript.is_new() ? std::optional(std::vector<Index>{0})
                                         : sliced(tensor.shape[side], subscript.first, subscript.end, subscript.step);
  if (!picked) return c.fail(range, "the step of a slice must not be 0"), false;
  sides.offsets.push_back(*picked);
  for (Index& offset : sides.offsets.back()) offset *= stride;
  sides.last_was_array = false;
  return true;
}

std::optional<TensorPlaces> combined(Compilation& c, const Tensor& tensor, const Sides& sides, Range range) {
  const std::size_t front = sides.arrays.empty() ? sides.offsets.size() : sides.shared_at;
  TensorPlaces found;
  for (const auto& offsets : sides.offsets) found.shape.push_back(static_cast<Index>(offsets.size()));
  found.shape.insert(found.shape.begin() + static_cast<std::ptrdiff_t>(front), sides.shared.begin(),
                     sides.shared.end());
  const auto count = counted(c, found.shape, range);
  if (!count) return std::nullopt;
  // Offsets of the arrays for each of their shared elements.
  std::vector<Index> offsets(static_cast<std::size_t>(element_count(sides.shared).value_or(0)), sides.start);
  std::vector<NodeId> moves(offsets.size(), sides.moving);
  bool moves_at_all = sides.moving != no_node;
  const auto strides = strides_of(tensor.shape);
  for (const auto& [array, side] : sides.arrays) {
    const auto from = broadcast_places(array->shape, sides.shared);
    moves_at_all = moves_at_all || !array->is_known();
    for (std::size_t i = 0; i < offsets.size() && !c.failed(); ++i) {
      const auto at = static_cast<std::size_t>(from[i]);
      if (array->is_known())
        offsets[i] += wrapped(c, array->numbers[at], tensor.shape[side], range).value_or(0) * strides[side];
      else
        moves[i] = sum_of(c, moves[i], offset_by_cell(c, array->values[at], tensor, side, range), range);
    }
  }
  if (c.failed()) return std::nullopt;
  found.at.resize(static_cast<std::size_t>(*count));
  if (moves_at_all) found.moving.resize(found.at.size());
  std::vector<Index> at(found.shape.size(), 0);
  const auto shared_strides = strides_of(sides.shared);
  for (std::size_t i = 0; i < found.at.size(); ++i) {
    Index place = 0, of_shared = 0;
    for (std::size_t s = 0; s < at.size(); ++s) {
      if (s >= front && s < front + sides.shared.size())
        of_shared += at[s] * shared_strides[s - front];
      else
        place += sides.offsets[s < front ? s : s - sides.shared.size()][static_cast<std::size_t>(at[s])];
    }
    found.at[i] = place + offsets[static_cast<std::size_t>(of_shared)];
    if (moves_at_all) found.moving[i] = moves[static_cast<std::size_t>(of_shared)];
    for (std::size_t s = at.size(); s-- > 0 && ++at[s] == found.shape[s];) at[s] = 0;
  }
  return found;
}

}  // namespace

std::optional<TensorPlaces> find_places(Compilation& c, const Tensor& tensor, std::vector<Subscript> subscripts,
                                        Range range) {
  const auto all = of_all_sides(c, tensor, std::move(subscripts), range);
  if (!all) return std::nullopt;
  Sides sides;
  std::size_t side = 0;
  for (const Subscript& one : *all) {
    if (!add_subscript(c, tensor, one, side, sides, range)) return std::nullopt;
    if (!one.is_new()) ++side;
  }
  return combined(c, tensor, sides, range);
}

}  // namespace vqscope::language
