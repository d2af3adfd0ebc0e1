// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/tensor/tensor.h"

#include "core/base/text.h"
#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>

namespace vqscope::language {
namespace {

constexpr Index most_elements = Index{1} << 24;

}  // namespace

std::optional<Index> element_count(std::span<const Index> shape) {
  Index count = 1;
  for (const Index side : shape) {
    const auto next = side < 0 ? std::nullopt : multiply(count, side);
    if (!next || *next > most_elements) return std::nullopt;
    count = *next;
  }
  return count;
}

std::vector<Index> strides_of(std::span<const Index> shape) {
  std::vector<Index> strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

std::string shape_text(std::span<const Index> shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i > 0 ? ", " : "") + to_text(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::optional<std::vector<Index>> broadcast(std::span<const Index> a, std::span<const Index> b) {
  if (a.size() < b.size()) std::swap(a, b);
  std::vector<Index> shape(a.begin(), a.end());
  const std::size_t before = a.size() - b.size();
  for (std::size_t i = 0; i < b.size(); ++i) {
    Index& side = shape[before + i];
    if (side != b[i] && side != 1 && b[i] != 1) return std::nullopt;
    if (side == 1) side = b[i];
  }
  return shape;
}

std::vector<Index> broadcast_places(std::span<const Index> from, std::span<const Index> to) {
  const std::size_t before = to.size() - from.size();
  std::vector<Index> strides(to.size(), 0);
  const auto own = strides_of(from);
  for (std::size_t i = 0; i < from.size(); ++i) strides[before + i] = from[i] == 1 ? 0 : own[i];
  std::vector<Index> places(static_cast<std::size_t>(element_count(to).value_or(0)));
  std::vector<Index> at(to.size(), 0);
  Index place = 0;
  for (Index& one : places) {
    one = place;
    for (std::size_t i = to.size(); i-- > 0;) {
      place += strides[i];
      if (++at[i] < to[i]) break;
      place -= strides[i] * to[i];
      at[i] = 0;
    }
  }
  return places;
}

Tensor rearranged(const Tensor& of, std::vector<Index> shape, std::span<const Index> places) {
  Tensor made{.shape = std::move(shape), .is_bool = of.is_bool, .choices = of.choices, .memory = of.memory};
  for (const Index place : places) {
    const auto at = static_cast<std::size_t>(place);
    if (of.is_known())
      made.numbers.push_back(of.numbers[at]);
    else
      made.values.push_back(of.values[at]);
  }
  return made;
}

std::optional<std::size_t> side_of(Index side, Index sides) {
  if (side < 0) side += sides;
  if (side < 0 || side >= sides) return std::nullopt;
  return static_cast<std::size_t>(side);
}

}  // namespace vqscope::language
