// SPDX-License-Identifier: GPL-3.0-or-later
// The same elements in another shape.
#include "core/mask/language/compile/tensor/tensor_operations.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_call.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace vqscope::language {
namespace {

std::vector<Index> in_order(Index size) {
  std::vector<Index> places(static_cast<std::size_t>(size));
  std::iota(places.begin(), places.end(), Index{0});
  return places;
}

std::optional<std::vector<Index>> sizes_given(Compilation& c, const TensorCall& call) {
  const Argument* shape = call.at(call.arguments.size(), "shape", "size");
  return known_integers(c, shape ? std::vector<Argument>{*shape} : call.from(1));
}

/// Joins the dimensions from start_dim to end_dim into one.
std::optional<std::vector<Index>> flat_shape(Compilation& c, const TensorCall& call, const Tensor& from) {
  std::array<std::size_t, 2> ends{};
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const Argument* given = call.at(i + 1, i == 0 ? "start_dim" : "end_dim");
    const auto side = given ? known_number(c, *given) : std::optional<Index>(i == 0 ? 0 : -1);
    const auto known = side ? known_side(c, *side, from.sides(), call.range) : std::nullopt;
    if (!known) return std::nullopt;
    ends[i] = *known;
  }
  if (ends[0] > ends[1]) return c.fail(call.range, "flatten starts after its end"), std::nullopt;
  std::vector<Index> shape(from.shape.begin(), from.shape.begin() + static_cast<std::ptrdiff_t>(ends[0]) + 1);
  for (std::size_t i = ends[0] + 1; i < from.shape.size(); ++i)
    if (i <= ends[1])
      shape.back() *= from.shape[i];
    else
      shape.push_back(from.shape[i]);
  return shape;
}

}  // namespace

Value view(Compilation& c, const TensorCall& call) {
  const TensorPtr from = object_of(c, call);
  auto shape = !from ? std::nullopt : call.name == "flatten" ? flat_shape(c, call, *from) : sizes_given(c, call);
  if (!from || !shape) return {};
  // A dimension of -1 takes the remaining elements.
  const auto open = std::ranges::find(*shape, -1);
  std::optional<Index> rest = 1;
  for (const Index side : *shape) rest = side == -1 || !rest ? rest : multiply(*rest, side);
  if (open != shape->end()) *open = rest.value_or(0) == 0 ? 0 : from->size() / *rest;
  if (element_count(*shape) != std::optional(from->size()))
    return c.fail(call.range, "an array of shape {} cannot be seen as {}", shape_text(from->shape), shape_text(*shape));
  return of_tensor(c, rearranged(*from, *shape, in_order(from->size())), call.range);
}

Value unsqueeze(Compilation& c, const TensorCall& call) {
  const TensorPtr from = object_of(c, call);
  const auto side = from ? side_given(c, call, 1, 0, from->sides() + 1) : std::nullopt;
  if (!side) return {};
  auto shape = from->shape;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(*side), 1);
  return of_tensor(c, rearranged(*from, shape, in_order(from->size())), call.range);
}

Value squeeze(Compilation& c, const TensorCall& call) {
  const TensorPtr from = object_of(c, call);
  const Argument* given = call.at(1, "dim", "axis");
  const auto sides = given ? known_integers(c, {*given}) : std::optional(std::vector<Index>());
  if (!from || !sides) return {};
  std::vector<Index> shape;
  for (std::size_t i = 0; i < from->shape.size(); ++i) {
    const auto is_this = [&](Index side) { return side_of(side, from->sides()) == std::optional(i); };
    if (from->shape[i] != 1 || !(sides->empty() || std::ranges::any_of(*sides, is_this)))
      shape.push_back(from->shape[i]);
  }
  return of_tensor(c, rearranged(*from, shape, in_order(from->size())), call.range);
}

Value expand(Compilation& c, const TensorCall& call) {
  const TensorPtr from = object_of(c, call);
  auto shape = from ? sizes_given(c, call) : std::nullopt;
  if (!shape) return {};
  // -1 keeps a dimension.
  for (std::size_t i = 0; i < shape->size(); ++i) {
    const std::size_t back = shape->size() - i;
    if ((*shape)[i] == -1 && back <= from->shape.size()) (*shape)[i] = from->shape[from->shape.size() - back];
  }
  const auto common = broadcast(from->shape, *shape);
  if (!common || *common != *shape)
    return c.fail(call.range, "an array of shape {} cannot be repeated to {}", shape_text(from->shape),
                  shape_text(*shape));
  if (!counted(c, *shape, call.range)) return {};
  return of_tensor(c, rearranged(*from, *shape, broadcast_places(from->shape, *shape)), call.range);
}

Value repeat(Compilation& c, const TensorCall& call) {
  const TensorPtr from = object_of(c, call);
  auto times = from ? sizes_given(c, call) : std::nullopt;
  if (!times) return {};
  auto own = from->shape;
  while (own.size() < times->size()) own.insert(own.begin(), 1);
  while (times->size() < own.size()) times->insert(times->begin(), 1);
  std::vector<Index> shape;
  for (std::size_t i = 0; i < own.size(); ++i) shape.push_back(multiply(own[i], (*times)[i]).value_or(-1));
  const auto count = counted(c, shape, call.range);
  if (!count) return {};
  const auto strides = strides_of(own), made = strides_of(shape);
  std::vector<Index> places(static_cast<std::size_t>(*count));
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t s = 0; s < shape.size(); ++s)
      places[i] += static_cast<Index>(i) / made[s] % shape[s] % own[s] * strides[s];
  Tensor repeated = rearranged(*from, shape, places);
  repeated.memory = Tensor().memory;
  return of_tensor(c, std::move(repeated), call.range);
}

/// x.view_as(y), x.expand_as(y)
Value shaped_as(Compilation& c, const TensorCall& call) {
  const Argument* own = call.at(0, "input");
  const Argument* other = call.at(1, "other");
  const TensorPtr as = other ? as_tensor(c, *other) : nullptr;
  if (c.failed()) return {};
  if (!own || !as) return c.fail(call.range, call.name + " takes two arrays");
  const std::string name = call.name.substr(0, call.name.size() - 3);
  const Argument shape{sizes_list(c, as->shape, call.range), "", call.range};
  return apply_to_tensors(c, name, {*own, shape}, call.range).value_or(Value{});
}

}  // namespace vqscope::language
