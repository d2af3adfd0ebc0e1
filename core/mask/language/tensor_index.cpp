// SPDX-License-Identifier: GPL-3.0-or-later
// Indices of arrays whose sizes are known: x[i], x[:, -1], x[rows, columns], x[mask], read and written.
#include "core/mask/language/tensor_writer.h"

#include "core/base/text.h"

#include <algorithm>

namespace vqscope::language {

/// Which elements an index means: of each element of the result the place, row by row. Where it differs by cell the
/// place is the sum of a number and a node.
struct TensorWriter::Places {
  std::vector<Index> shape;
  std::vector<Index> at;
  std::vector<NodeId> moving;  ///< empty: none differs by cell
};

namespace {

/// The elements that first:end:step means on a side, as Python counts them.
std::optional<std::vector<Index>> sliced(Index size, std::optional<Index> first, std::optional<Index> end,
                                         std::optional<Index> step) {
  const Index by = step.value_or(1);
  if (by == 0) return std::nullopt;
  const auto bounded = [&](std::optional<Index> given, Index fallback) {
    if (!given) return fallback;
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

}  // namespace

/// An array of truth values picks the elements where it is true: one list of indices for each of its sides.
bool TensorWriter::expand_booleans(const Tensor& tensor, std::vector<Subscript>& subscripts, Range range) {
  std::vector<Subscript> expanded;
  for (Subscript& one : subscripts) {
    const bool is_tensor_value = one.kind == Subscript::Kind::value && one.value.value.kind == Value::Kind::tensor;
    const Tensor* mask = is_tensor_value && one.value.value.tensor->is_bool ? one.value.value.tensor.get() : nullptr;
    if (!mask) {
      expanded.push_back(std::move(one));
      continue;
    }
    if (!mask->is_known()) return fail(range, "which elements this picks differs by cell; write torch.where"), false;
    if (mask->sides() > tensor.sides()) return fail(range, "this picks along more sides than the array has"), false;
    const auto strides = strides_of(mask->shape);
    for (std::size_t side = 0; side < mask->shape.size(); ++side) {
      Tensor indices;
      for (Index i = 0; i < mask->size(); ++i)
        if (mask->numbers[static_cast<std::size_t>(i)] != 0)
          indices.numbers.push_back(i / strides[side] % mask->shape[side]);
      indices.shape = {indices.size()};
      expanded.push_back({.value = {of_tensor(std::move(indices), range), "", range}});
    }
  }
  subscripts = std::move(expanded);
  return !failed();
}

std::optional<TensorWriter::Places> TensorWriter::places(const Tensor& tensor, std::vector<Subscript> subscripts,
                                                         Range range) {
  using Kind = Subscript::Kind;
  if (!expand_booleans(tensor, subscripts, range)) return std::nullopt;
  const auto is_new = [](const Subscript& s) {
    return s.kind == Kind::value && s.value.value.kind == Value::Kind::nothing;
  };
  const auto is_every = [](const Subscript& s) { return s.kind == Kind::every; };
  const auto used = std::ranges::count_if(subscripts, [&](const auto& s) { return !is_new(s) && !is_every(s); });
  if (used > tensor.sides())
    return fail(range, "an array of shape " + shape_text(tensor.shape) + " is indexed with " + to_text(Index{used}) +
                           " indices"),
           std::nullopt;
  auto every = std::ranges::find_if(subscripts, is_every);
  every = every == subscripts.end() ? every : subscripts.erase(every);
  subscripts.insert(every, static_cast<std::size_t>(tensor.sides() - used), {.kind = Kind::slice});

  // Of each side of the result how far apart its elements are; indices that are arrays share sides.
  struct Side {
    Index size = 1;
    std::vector<Index> offsets;  ///< of each element along it
  };
  std::vector<Side> sides;
  std::vector<Index> shared;                              ///< the shape that indices that are arrays come to
  std::vector<std::pair<TensorPtr, std::size_t>> arrays;  ///< with the side of `tensor` that each is along
  std::optional<std::size_t> shared_at;
  bool is_apart = false, last_was_array = false;
  Index start = 0;
  NodeId moving = no_node;
  const auto strides = strides_of(tensor.shape);
  const auto along = [&](const Value& index, std::size_t side) -> NodeId {
    const NodeId id = as_int(as_node(index, range));
    if (failed()) return no_node;
    const Node& n = node(id);
    const bool is_plain = tensor.sides() == 1 || (n.op == Op::along && n.value == tensor.shape[side]);
    const NodeId checked =
        is_plain ? id
                 : of_node(m_build.make({.op = Op::along, .a = id, .value = tensor.shape[side], .range = range})).node;
    if (failed() || strides[side] == 1) return checked;
    return make(Op::multiply, false, range, checked, m_build.constant(strides[side], false, range)).node;
  };
  const auto plus = [&](NodeId a, NodeId b) {
    if (a == no_node || b == no_node) return a == no_node ? b : a;
    return make(Op::add, false, range, a, b).node;
  };
  const auto wrapped = [&](Index index, std::size_t side) -> std::optional<Index> {
    const Index size = tensor.shape[side];
    if (index < -size || index >= size) {
      fail(range, "the index " + to_text(index) + " is out of range; this side has " + to_text(size) +
                      (size == 1 ? " element" : " elements"));
      return std::nullopt;
    }
    return index < 0 ? index + size : index;
  };
  std::size_t side = 0;
  for (Subscript& one : subscripts) {
    if (failed()) return std::nullopt;
    if (is_new(one)) {
      sides.push_back({1, {0}});
      last_was_array = false;
      continue;
    }
    const std::size_t at = side++;
    if (one.kind == Kind::slice) {
      const auto picked = sliced(tensor.shape[at], one.first, one.end, one.step);
      if (!picked) return fail(range, "the step of a slice is not 0"), std::nullopt;
      Side made{static_cast<Index>(picked->size()), *picked};
      for (Index& offset : made.offsets) offset *= strides[at];
      sides.push_back(std::move(made));
      last_was_array = false;
      continue;
    }
    const bool is_list = is_tensor(one.value.value) || one.value.value.kind == Value::Kind::tuple;
    if (!is_list) {
      const NodeId id = as_int(as_node(one.value.value, one.value.range));
      if (failed()) return std::nullopt;
      if (const auto known = settled_in_batch(id)) {
        const auto index = wrapped(*known, at);
        if (!index) return std::nullopt;
        start += *index * strides[at];
      } else {
        moving = plus(moving, along(one.value.value, at));
      }
      continue;
    }
    const TensorPtr array = as_tensor(one.value);
    if (!array) return std::nullopt;
    const auto common = broadcast(shared, array->shape);
    if (!common)
      return fail(range, "indices of shapes " + shape_text(shared) + " and " + shape_text(array->shape) +
                             " do not fit together"),
             std::nullopt;
    shared = *common;
    if (!shared_at) shared_at = sides.size();
    is_apart = is_apart || (!arrays.empty() && !last_was_array);
    last_was_array = true;
    arrays.emplace_back(array, at);
  }
  // The shared sides stand where the first array stood, or first where a slice stands between two.
  const std::size_t front = shared_at ? (is_apart ? 0 : *shared_at) : sides.size();
  Places found;
  for (std::size_t i = 0; i < front; ++i) found.shape.push_back(sides[i].size);
  found.shape.insert(found.shape.end(), shared.begin(), shared.end());
  for (std::size_t i = front; i < sides.size(); ++i) found.shape.push_back(sides[i].size);
  const auto count = counted(found.shape, range);
  if (!count) return std::nullopt;

  // What the arrays come to for each of their shared elements.
  std::vector<Index> offsets(static_cast<std::size_t>(element_count(shared).value_or(0)), start);
  std::vector<NodeId> moves(offsets.size(), moving);
  bool moves_at_all = moving != no_node;
  for (const auto& [array, at] : arrays) {
    const auto from = broadcast_places(array->shape, shared);
    for (std::size_t i = 0; i < offsets.size() && !failed(); ++i) {
      if (array->is_known()) {
        const auto index = wrapped(array->numbers[static_cast<std::size_t>(from[i])], at);
        offsets[i] += index.value_or(0) * strides[at];
      } else {
        moves[i] = plus(moves[i], along(array->values[static_cast<std::size_t>(from[i])], at));
        moves_at_all = true;
      }
    }
  }
  if (failed()) return std::nullopt;
  found.at.resize(static_cast<std::size_t>(*count));
  if (moves_at_all) found.moving.resize(found.at.size());
  std::vector<Index> at(found.shape.size(), 0);
  const auto shared_strides = strides_of(shared);
  for (std::size_t i = 0; i < found.at.size(); ++i) {
    Index place = 0, of_shared = 0;
    for (std::size_t s = 0; s < at.size(); ++s) {
      const bool is_shared = s >= front && s < front + shared.size();
      if (is_shared)
        of_shared += at[s] * shared_strides[s - front];
      else
        place += sides[s < front ? s : s - shared.size()].offsets[static_cast<std::size_t>(at[s])];
    }
    found.at[i] = place + offsets[static_cast<std::size_t>(of_shared)];
    if (moves_at_all) found.moving[i] = moves[static_cast<std::size_t>(of_shared)];
    for (std::size_t s = at.size(); s-- > 0 && ++at[s] == found.shape[s];) at[s] = 0;
  }
  return found;
}

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
