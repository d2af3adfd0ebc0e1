// SPDX-License-Identifier: GPL-3.0-or-later
// The same elements in another order, or with others around them.
#include "core/mask/language/compile/tensor/tensor_operations.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_call.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>
#include <numeric>

namespace vqscope::language {
namespace {

Value moved_along(Compilation& c, const TensorPtr& from, const std::vector<Index>& shape, std::span<const Index> sides,
                  const std::function<Index(std::size_t, Index, Index)>& moved, const TensorCall& call) {
  std::vector<Index> places(static_cast<std::size_t>(from->size()));
  std::iota(places.begin(), places.end(), Index{0});
  const auto strides = strides_of(shape);
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const auto side = side_of(sides[k], static_cast<Index>(shape.size()));
    if (!side) return c.fail(call.range, "an array of shape {} has no dimension {}", shape_text(shape), sides[k]);
    for (Index& place : places) {
      const Index at = place / strides[*side] % shape[*side];
      place += (moved(k, at, shape[*side]) - at) * strides[*side];
    }
  }
  Tensor made = rearranged(*from, from->shape, places);
  made.memory = Tensor().memory;
  return of_tensor(c, std::move(made), call.range);
}

}  // namespace

/// transpose(a, b) swaps two dimensions, permute takes all of them, t and .T reverse them.
Value transpose(Compilation& c, const TensorCall& call) {
  const TensorPtr from = object_of(c, call);
  const bool takes_sides = call.name != "t";
  const Argument* dims = call.at(call.arguments.size(), "dims", "axes");
  const Argument* first = call.at(1, "dim0");
  const Argument* second = call.at(2, "dim1");
  const bool is_named = first && second && !(first->keyword.empty() && second->keyword.empty());
  const auto numbers = !takes_sides ? std::optional(std::vector<Index>())
                       : is_named   ? known_integers(c, {*first, *second})
                       : dims       ? known_integers(c, {*dims})
                                    : known_integers(c, call.from(1));
  if (!from || !numbers) return {};
  std::vector<std::size_t> order(from->shape.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::size_t> given;
  for (const Index side : *numbers) {
    const auto known = side_of(side, from->sides());
    if (!known) return c.fail(call.range, "an array of shape {} has no dimension {}", shape_text(from->shape), side);
    given.push_back(*known);
  }
  if (given.size() == order.size() && call.name != "swapaxes" && std::ranges::is_permutation(given, order) &&
      (given.size() != 2 || call.name == "permute"))
    order = given;
  else if (given.size() == 2 && call.name != "permute")
    std::swap(order[given[0]], order[given[1]]);
  else if (given.empty() && call.name != "permute")
    std::ranges::reverse(order);
  else
    return c.fail(call.range, call.name + " takes a permutation of the dimensions of the array");
  std::vector<Index> shape;
  for (const std::size_t side : order) shape.push_back(from->shape[side]);
  const auto strides = strides_of(from->shape), own = strides_of(shape);
  std::vector<Index> places(static_cast<std::size_t>(from->size()));
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t s = 0; s < order.size(); ++s)
      places[i] += static_cast<Index>(i) / own[s] % shape[s] * strides[order[s]];
  return of_tensor(c, rearranged(*from, shape, places), call.range);
}

/// F.pad(x, (before, after of the last side, before, after of the one before it, ...), value=0)
Value pad(Compilation& c, const TensorCall& call) {
  const TensorPtr from = known_object_of(c, call);
  const Argument* sizes = call.at(1, "pad");
  const Argument* mode = call.at(2, "mode");
  const Argument* value = call.at(3, "value");
  if (mode && mode->value.name != "constant")
    return c.fail(mode->range, "pad fills with a constant here, mode \"{}\" is not part of the mask language",
                  shortened(mode->value.name));
  const auto widths = from && sizes ? known_integers(c, {*sizes}) : std::nullopt;
  const auto number_around = value ? known_number(c, *value) : std::optional<Index>(0);
  if (c.failed()) return {};
  if (!widths || widths->size() % 2 != 0 || widths->size() / 2 > from->shape.size())
    return c.fail(call.range, "pad takes two integers for each of the last dimensions of the array");
  auto shape = from->shape;
  std::vector<Index> before(shape.size(), 0);
  for (std::size_t i = 0; i < widths->size() / 2; ++i) {
    const std::size_t side = shape.size() - 1 - i;
    const auto longer = add((*widths)[2 * i], (*widths)[2 * i + 1]);
    before[side] = (*widths)[2 * i];
    shape[side] = longer ? add(shape[side], *longer).value_or(-1) : -1;
  }
  const Index around = from->is_bool ? (*number_around != 0 ? 1 : 0) : *number_around;
  auto made = filled(c, shape, around, from->is_bool, call.range);
  if (!made) return {};
  const auto strides = strides_of(shape), own = strides_of(from->shape);
  for (Index i = 0; i < from->size(); ++i) {
    Index place = 0;
    bool is_inside = true;
    for (std::size_t s = 0; s < shape.size() && is_inside; ++s) {
      const auto at = add(i / own[s] % from->shape[s], before[s]);
      is_inside = at && *at >= 0 && *at < shape[s];
      if (is_inside) place += *at * strides[s];
    }
    if (is_inside) made->numbers[static_cast<std::size_t>(place)] = from->numbers[static_cast<std::size_t>(i)];
  }
  return of_tensor(c, std::move(*made), call.range);
}

Value flip(Compilation& c, const TensorCall& call) {
  const TensorPtr from = object_of(c, call);
  const Argument* dims = call.at(call.arguments.size(), "dims", "axis");
  auto sides = from ? known_integers(c, dims ? std::vector<Argument>{*dims} : call.from(1)) : std::nullopt;
  if (!sides) return {};
  for (std::size_t i = 0; i < from->shape.size() && call.arguments.size() < 2; ++i)
    sides->push_back(static_cast<Index>(i));
  return moved_along(
      c, from, from->shape, *sides, [](std::size_t, Index at, Index size) { return size - 1 - at; }, call);
}

/// Without dimensions the array is rolled as a list.
Value roll(Compilation& c, const TensorCall& call) {
  const TensorPtr from = object_of(c, call);
  const Argument* dims = call.at(2, "dims", "axis");
  const Argument* given = call.at(1, "shifts", "shift");
  auto sides = dims ? known_integers(c, {*dims}) : std::optional(std::vector<Index>{0});
  const auto shifts = from && given ? known_integers(c, {*given}) : std::nullopt;
  if (c.failed()) return {};
  if (!shifts || !sides || shifts->size() != sides->size())
    return c.fail(call.range, "roll takes one shift for each dimension");
  const std::vector<Index> shape = dims ? from->shape : std::vector<Index>{from->size()};
  const auto moved = [&](std::size_t k, Index at, Index size) {
    return floor_modulo(at - floor_modulo((*shifts)[k], size), size);
  };
  return moved_along(c, from, shape, *sides, moved, call);
}

}  // namespace vqscope::language
