// SPDX-License-Identifier: GPL-3.0-or-later
// The same elements in another shape or order, and some of them.
#include "core/mask/language/tensor_call.h"

#include "core/base/text.h"
#include "core/mask/language/arithmetic.h"

#include <numeric>

namespace vqscope::language {
namespace {

std::vector<Index> in_order(Index size) {
  std::vector<Index> places(static_cast<std::size_t>(size));
  std::iota(places.begin(), places.end(), Index{0});
  return places;
}

/// The sides in another order: of each element of the result its place.
std::vector<Index> permuted(std::span<const Index> shape, std::span<const std::size_t> order,
                            std::vector<Index>& made) {
  const auto strides = strides_of(shape);
  for (const std::size_t side : order) made.push_back(shape[side]);
  const auto own = strides_of(made);
  std::vector<Index> places(static_cast<std::size_t>(element_count(shape).value_or(0)));
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t s = 0; s < order.size(); ++s)
      places[i] += static_cast<Index>(i) / own[s] % made[s] * strides[order[s]];
  return places;
}

}  // namespace

std::optional<Value> TensorWriter::reshaped(const std::string& name, Call& call) {
  static const std::set<std::string> names{"view",    "reshape",      "flatten",   "unsqueeze", "expand_dims",
                                           "squeeze", "transpose",    "swapaxes",  "t",         "permute",
                                           "expand",  "broadcast_to", "repeat",    "tile",      "flip",
                                           "roll",    "pad",          "expand_as", "view_as",   "reshape_as"};
  if (!names.contains(name)) return std::nullopt;
  const Argument* object = call.at(0, "input");
  const TensorPtr from = object ? array_at(*object) : nullptr;
  if (!from) return Value{};
  if (!spend(from->size(), call.range)) return Value{};
  const auto give = [&](std::vector<Index> shape, std::span<const Index> places) {
    return of_tensor(rearranged(*from, std::move(shape), places), call.range);
  };
  const auto no_side = [&](Index side) {
    return fail(call.range, "an array of shape " + shape_text(from->shape) + " has no side " + to_text(side));
  };
  if (name.ends_with("_as")) {
    const Argument* other = call.at(1, "other");
    const TensorPtr as = other ? as_tensor(*other) : nullptr;
    if (!as) return Value{};
    auto sizes = std::make_shared<std::vector<Value>>();
    for (const Index side : as->shape) sizes->push_back(of_node(m_build.constant(side, false, call.range)));
    const Value shape{.kind = Value::Kind::tuple, .items = sizes};
    Call same{{*object, {shape, "", call.range}}, call.range};
    return reshaped(name.substr(0, name.size() - 3), same);
  }
  if (name == "pad") {
    const Argument* sizes = call.at(1, "pad");
    const auto widths = sizes ? integers({*sizes}) : std::nullopt;
    if (!widths || widths->size() % 2 != 0 || widths->size() / 2 > from->shape.size())
      return fail(call.range, "pad takes two integers for each of the last sides of the array");
    const Argument* value = call.at(3, "value");
    const auto fill = value ? number(*value) : std::optional<Index>(0);
    if (!fill) return Value{};
    if (!from->is_known()) return fail(call.range, "pad takes an array of known numbers");
    auto shape = from->shape;
    std::vector<Index> before(shape.size(), 0);
    for (std::size_t i = 0; i < widths->size() / 2; ++i) {
      const std::size_t side = shape.size() - 1 - i;
      const auto longer = add((*widths)[2 * i], (*widths)[2 * i + 1]);
      const auto whole = longer ? add(shape[side], *longer) : std::nullopt;
      if (!whole) return fail(call.range, "this pads by too much");
      before[side] = (*widths)[2 * i];
      shape[side] = *whole;
    }
    auto made = filled(shape, from->is_bool ? (*fill != 0 ? 1 : 0) : *fill, from->is_bool, call.range);
    if (!made) return Value{};
    const auto strides = strides_of(shape);
    const auto own = strides_of(from->shape);
    for (Index i = 0; i < from->size(); ++i) {
      Index place = 0;
      bool is_inside = true;
      for (std::size_t s = 0; s < shape.size(); ++s) {
        const Index at = i / own[s] % from->shape[s] + before[s];
        is_inside = is_inside && at >= 0 && at < shape[s];
        place += at * strides[s];
      }
      if (is_inside) made->numbers[static_cast<std::size_t>(place)] = from->numbers[static_cast<std::size_t>(i)];
    }
    return of_tensor(std::move(*made), call.range);
  }
  const Argument* first = call.at(1, "dim", "axis");
  const Argument* shape_given = call.at(call.arguments.size(), "shape", "size");
  const auto numbers = name == "flatten" || name == "t"   ? std::optional<std::vector<Index>>(std::vector<Index>())
                       : shape_given                      ? integers({*shape_given})
                       : first && !first->keyword.empty() ? integers({*first})
                                                          : integers(call.from(1));
  if (!numbers) return Value{};
  if (name == "view" || name == "reshape" || name == "flatten") {
    // x.view(torch.int32) is the same array.
    std::vector<Index> shape = name == "flatten" ? std::vector<Index>{-1} : *numbers;
    const auto open = std::ranges::find(shape, -1);
    Index rest = 1;
    for (const Index side : shape) rest = side == -1 ? rest : multiply(rest, side).value_or(0);
    if (open != shape.end()) *open = rest == 0 ? 0 : from->size() / rest;
    if (element_count(shape) != std::optional<Index>(from->size()))
      return fail(call.range,
                  "an array of shape " + shape_text(from->shape) + " cannot be seen as " + shape_text(shape));
    return give(shape, in_order(from->size()));
  }
  if (name == "unsqueeze" || name == "expand_dims") {
    const auto side = numbers->empty() ? std::nullopt : side_of(numbers->front(), from->sides() + 1);
    if (!side) return no_side(numbers->empty() ? 0 : numbers->front());
    auto shape = from->shape;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(*side), 1);
    return give(shape, in_order(from->size()));
  }
  if (name == "squeeze") {
    std::vector<Index> shape;
    for (std::size_t i = 0; i < from->shape.size(); ++i) {
      const bool asked = numbers->empty() || std::ranges::any_of(*numbers, [&](Index side) {
                           return side_of(side, from->sides()) == std::optional(i);
                         });
      if (from->shape[i] != 1 || !asked) shape.push_back(from->shape[i]);
    }
    return give(shape, in_order(from->size()));
  }
  if (name == "transpose" || name == "swapaxes" || name == "t" || name == "permute") {
    std::vector<std::size_t> order(from->shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<std::size_t> given;
    for (const Index side : *numbers) {
      const auto known = side_of(side, from->sides());
      if (!known) return no_side(side);
      given.push_back(*known);
    }
    const bool is_order =
        name == "permute" && given.size() == order.size() && std::ranges::is_permutation(given, order);
    if (is_order)
      order = given;
    else if (given.size() == 2)
      std::swap(order[given[0]], order[given[1]]);
    else if (given.empty() && name != "permute")
      std::ranges::reverse(order);
    else
      return fail(call.range, name + " takes the sides of the array in another order");
    std::vector<Index> shape;
    const auto places = permuted(from->shape, order, shape);
    return give(shape, places);
  }
  if (name == "expand" || name == "broadcast_to") {
    std::vector<Index> shape = *numbers;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const std::size_t back = shape.size() - i;
      if (shape[i] == -1 && back <= from->shape.size()) shape[i] = from->shape[from->shape.size() - back];
    }
    const auto common = broadcast(from->shape, shape);
    if (!common || *common != shape)
      return fail(call.range,
                  "an array of shape " + shape_text(from->shape) + " cannot be repeated to " + shape_text(shape));
    if (!counted(shape, call.range)) return Value{};
    return give(shape, broadcast_places(from->shape, shape));
  }
  if (name == "repeat" || name == "tile") {
    auto own = from->shape;
    std::vector<Index> times = *numbers;
    while (own.size() < times.size()) own.insert(own.begin(), 1);
    while (times.size() < own.size()) times.insert(times.begin(), 1);
    std::vector<Index> shape;
    for (std::size_t i = 0; i < own.size(); ++i) shape.push_back(multiply(own[i], times[i]).value_or(-1));
    if (!counted(shape, call.range)) return Value{};
    const auto strides = strides_of(own), made = strides_of(shape);
    std::vector<Index> places(static_cast<std::size_t>(element_count(shape).value_or(0)));
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t s = 0; s < shape.size(); ++s)
        places[i] += static_cast<Index>(i) / made[s] % shape[s] % own[s] * strides[s];
    Tensor repeated = rearranged(*from, shape, places);
    repeated.memory = Tensor().memory;
    return of_tensor(std::move(repeated), call.range);
  }
  // flip(x, dims), roll(x, shifts, dims)
  const bool rolls = name == "roll";
  const Argument* dims = call.at(rolls ? 2 : 1, rolls ? "dims" : "dims", "axis");
  std::optional<std::vector<Index>> sides = std::vector<Index>();
  if (dims) sides = integers({*dims});
  std::optional<std::vector<Index>> shifts = std::vector<Index>();
  if (const Argument* given = rolls ? call.at(1, "shifts", "shift") : nullptr) shifts = integers({*given});
  if (!sides || !shifts) return Value{};
  const bool is_flat = sides->empty();
  const std::vector<Index> flat{from->size()};
  const auto& shape = is_flat && rolls ? flat : from->shape;
  if (is_flat)
    for (std::size_t i = 0; i < shape.size(); ++i) sides->push_back(static_cast<Index>(i));
  if (rolls && shifts->size() != sides->size()) return fail(call.range, "roll takes one shift for each side");
  auto places = in_order(from->size());
  const auto strides = strides_of(shape);
  for (std::size_t k = 0; k < sides->size(); ++k) {
    const auto side = side_of((*sides)[k], static_cast<Index>(shape.size()));
    if (!side) return no_side((*sides)[k]);
    for (Index i = 0; i < from->size(); ++i) {
      Index& place = places[static_cast<std::size_t>(i)];
      const Index size = shape[*side], at = place / strides[*side] % size;
      const Index moved = rolls ? floor_modulo(at - floor_modulo((*shifts)[k], size), size) : size - 1 - at;
      place += (moved - at) * strides[*side];
    }
  }
  Tensor made = rearranged(*from, from->shape, places);
  made.memory = Tensor().memory;
  return of_tensor(std::move(made), call.range);
}

/// Some of the elements: repeat_interleave, gather, index_select, masked_select, nonzero, unique, split.
std::optional<Value> TensorWriter::selected(const std::string& name, Call& call) {
  static const std::set<std::string> names{"repeat_interleave",
                                           "gather",
                                           "take_along_dim",
                                           "index_select",
                                           "masked_select",
                                           "nonzero",
                                           "argwhere",
                                           "unique",
                                           "unique_consecutive",
                                           "split",
                                           "chunk",
                                           "unbind",
                                           "tolist",
                                           "diag",
                                           "diagonal"};
  if (!names.contains(name)) return std::nullopt;
  const Argument* object = call.at(0, "input");
  const TensorPtr from = object ? array_at(*object) : nullptr;
  if (!from) return Value{};
  const auto list = [](std::vector<Value> items) {
    return Value{.kind = Value::Kind::tuple, .items = std::make_shared<std::vector<Value>>(std::move(items))};
  };
  const auto as_list = [&](const auto& self, const TensorPtr& tensor) -> Value {
    std::vector<Value> rows = rows_of(tensor, call.range);
    for (Value& row : rows)
      if (row.kind == Value::Kind::tensor) row = self(self, row.tensor);
    return list(std::move(rows));
  };
  if (name == "tolist") return from->shape.empty() ? item(*from, 0, call.range) : as_list(as_list, from);
  if (name == "unbind" && !call.at(1, "dim")) return list(rows_of(from, call.range));
  const auto known_only = [&] {
    return from->is_known() || (fail(call.range, name + " takes an array of known numbers"), false);
  };
  const auto side_given = [&](std::size_t place, Index otherwise) -> std::optional<std::size_t> {
    const Argument* given = call.at(place, "dim", "axis");
    const auto side = given ? number(*given) : std::optional(otherwise);
    const auto found = side ? side_of(*side, from->sides()) : std::nullopt;
    if (side && !found)
      fail(call.range, "an array of shape " + shape_text(from->shape) + " has no side " + to_text(*side));
    return found;
  };
  const auto picked = [&](std::size_t side, std::vector<Index> indices) {
    Tensor own;
    own.shape = {static_cast<Index>(indices.size())};
    own.numbers = std::move(indices);
    std::vector<Subscript> subscripts(side, {.kind = Subscript::Kind::slice});
    subscripts.push_back({.value = {of_tensor(std::move(own), call.range), "", call.range}});
    return failed() ? Value{} : read(from, subscripts, call.range);
  };
  if (name == "repeat_interleave") {
    const Argument* times = call.at(1, "repeats");
    const TensorPtr repeats = times ? as_tensor(*times) : from;
    const bool is_flat = !call.at(2, "dim", "axis");
    const auto side = is_flat ? std::optional<std::size_t>(0) : side_given(2, 0);
    if (!repeats || !side || failed()) return Value{};
    if (!repeats->is_known()) return fail(call.range, "how often each element is repeated must be known");
    const Index size = is_flat ? from->size() : from->shape[*side];
    std::vector<Index> indices;
    for (Index i = 0; i < size; ++i) {
      const auto at = static_cast<std::size_t>(repeats->size() == 1 ? 0 : i);
      if (at >= repeats->numbers.size() || repeats->numbers[at] < 0)
        return fail(call.range,
                    "repeat_interleave takes one count, 0 or more, for each of " + to_text(size) + " elements");
      if (!spend(std::min<Index>(repeats->numbers[at], Index{1} << 40), call.range)) return Value{};
      indices.insert(indices.end(), static_cast<std::size_t>(repeats->numbers[at]), i);
    }
    if (times && !is_flat) return picked(*side, std::move(indices));
    if (!times) {  // repeat_interleave(repeats): the index of each
      Tensor made;
      made.shape = {static_cast<Index>(indices.size())};
      made.numbers = std::move(indices);
      return of_tensor(std::move(made), call.range);
    }
    const auto count = static_cast<Index>(indices.size());
    return of_tensor(rearranged(*from, {count}, indices), call.range);
  }
  if (name == "index_select") {
    const Argument* index = call.at(2, "index");
    const auto side = side_given(1, 0);
    const auto indices = index ? integers({*index}) : std::nullopt;
    return side && indices ? picked(*side, *indices) : Value{};
  }
  if (name == "split" || name == "chunk" || name == "unbind") {
    const auto side = side_given(name == "unbind" ? 1 : 2, 0);
    const Argument* given = call.at(1, name == "split" ? "split_size_or_sections" : "chunks");
    if (!side) return Value{};
    auto sizes = name == "unbind" ? std::optional(std::vector<Index>{1}) : given ? integers({*given}) : std::nullopt;
    if (!sizes || sizes->empty()) return Value{};
    const bool is_list = given && given->value.kind == Value::Kind::tuple;
    const Index size = from->shape[*side];
    if (name == "chunk") sizes->front() = sizes->front() < 1 ? 0 : (size + sizes->front() - 1) / sizes->front();
    std::vector<Value> parts;
    for (Index first = 0, i = 0; first < size; ++i) {
      const auto at = static_cast<std::size_t>(is_list ? i : 0);
      const Index width = at < sizes->size() ? (*sizes)[at] : 0;
      if (width <= 0) return fail(call.range, "the parts of " + name + " do not come to the array");
      std::vector<Index> indices;
      for (Index k = first; k < std::min(size, first + width); ++k) indices.push_back(k);
      parts.push_back(picked(*side, std::move(indices)));
      if (name == "unbind" && !failed()) {
        Call one{{{parts.back(), "", call.range},
                  {of_node(m_build.constant(static_cast<Index>(*side), false, call.range)), "", call.range}},
                 call.range};
        parts.back() = *reshaped("squeeze", one);
      }
      if (failed()) return Value{};
      first += width;
    }
    return list(std::move(parts));
  }
  if (name == "masked_select") {
    const Argument* mask = call.at(1, "mask");
    return mask ? read(from, {{.value = *mask}}, call.range) : Value{};
  }
  if (name == "gather" || name == "take_along_dim") {
    const Argument* index = call.at(name == "gather" ? 2 : 1, "index", "indices");
    const auto side = side_given(name == "gather" ? 1 : 2, 0);
    const TensorPtr indices = index ? as_tensor(*index) : nullptr;
    if (!side || !indices) return Value{};
    if (indices->sides() != from->sides()) return fail(call.range, name + " takes indices of as many sides");
    const auto strides = strides_of(indices->shape);
    std::vector<Subscript> subscripts;
    for (std::size_t i = 0; i < from->shape.size(); ++i) {
      if (i == *side) {
        subscripts.push_back({.value = {{.kind = Value::Kind::tensor, .tensor = indices}, "", call.range}});
        continue;
      }
      Tensor own{.shape = indices->shape};
      for (Index k = 0; k < indices->size(); ++k) own.numbers.push_back(k / strides[i] % indices->shape[i]);
      subscripts.push_back({.value = {of_tensor(std::move(own), call.range), "", call.range}});
    }
    return read(from, subscripts, call.range);
  }
  if (!known_only()) return Value{};
  if (name == "diag" || name == "diagonal") {
    if (from->sides() != 2) return fail(call.range, name + " takes an array of two sides");
    std::vector<Index> places;
    for (Index i = 0; i < std::min(from->shape[0], from->shape[1]); ++i) places.push_back(i * from->shape[1] + i);
    const auto count = static_cast<Index>(places.size());
    return of_tensor(rearranged(*from, {count}, places), call.range);
  }
  if (name == "unique" || name == "unique_consecutive") {
    Tensor made{.is_bool = from->is_bool, .numbers = from->numbers};
    if (name == "unique") std::ranges::sort(made.numbers);
    made.numbers.erase(std::unique(made.numbers.begin(), made.numbers.end()), made.numbers.end());
    made.shape = {static_cast<Index>(made.numbers.size())};
    return of_tensor(std::move(made), call.range);
  }
  // nonzero: one row of indices for each
  const Argument* as_tuple = call.at(1, "as_tuple");
  const auto strides = strides_of(from->shape);
  std::vector<Tensor> columns(from->shape.size());
  Tensor rows;
  for (Index i = 0; i < from->size(); ++i)
    for (std::size_t s = 0; s < from->shape.size() && from->numbers[static_cast<std::size_t>(i)] != 0; ++s) {
      const Index at = i / strides[s] % from->shape[s];
      columns[s].numbers.push_back(at);
      rows.numbers.push_back(at);
    }
  if (as_tuple && number(*as_tuple).value_or(0) != 0) {
    std::vector<Value> all;
    for (Tensor& column : columns) {
      column.shape = {static_cast<Index>(column.numbers.size())};
      all.push_back(of_tensor(std::move(column), call.range));
    }
    return list(std::move(all));
  }
  rows.shape = {from->sides() == 0 ? 0 : static_cast<Index>(rows.numbers.size()) / from->sides(), from->sides()};
  return of_tensor(std::move(rows), call.range);
}

}  // namespace vqscope::language
