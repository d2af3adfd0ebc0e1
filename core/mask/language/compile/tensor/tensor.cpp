// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/tensor/tensor.h"

#include "core/base/text.h"
#include "core/mask/language/parse/arithmetic.h"
#include "core/mask/language/parse/operators.h"

#include <algorithm>
#include <map>

namespace vqscope::language {
namespace {

using Numbers = const std::array<Index, 3>&;
using Known = std::optional<Index>;

Known negated(Numbers x) { return subtract(0, x[0]); }
Known absolute_number(Numbers x) { return x[0] < 0 ? subtract(0, x[0]) : Known(x[0]); }

constexpr Index most_elements = Index{1} << 24;

}  // namespace

const NumberKernel* number_kernel(std::string_view name) {
  using Result = NumberKernel::Result;
  static const auto all = [] {
    std::map<std::string_view, NumberKernel> kernels{
        {"minimum", {nullptr, [](Numbers x) { return Known(std::min(x[0], x[1])); }, Result::as_operands}},
        {"maximum", {nullptr, [](Numbers x) { return Known(std::max(x[0], x[1])); }, Result::as_operands}},
        {"logical_and", {nullptr, [](Numbers x) { return Known(x[0] != 0 && x[1] != 0); }, Result::truth}},
        {"logical_or", {nullptr, [](Numbers x) { return Known(x[0] != 0 || x[1] != 0); }, Result::truth}},
        {"logical_xor", {nullptr, [](Numbers x) { return Known((x[0] != 0) != (x[1] != 0)); }, Result::truth}},
        {"logical_not", {nullptr, [](Numbers x) { return Known(x[0] == 0); }, Result::truth}},
        {"bool", {nullptr, [](Numbers x) { return Known(x[0] != 0); }, Result::truth}},
        {"int", {nullptr, [](Numbers x) { return Known(x[0]); }, Result::integer}},
        {"bit_not", {nullptr, [](Numbers x) { return Known(~x[0]); }, Result::integer}},
        {"neg", {nullptr, negated, Result::integer}},
        {"abs", {nullptr, absolute_number, Result::integer}},
        {"where", {nullptr, [](Numbers x) { return Known(x[0] != 0 ? x[1] : x[2]); }, Result::as_operands}}};
    for (const Operator& row : operators())
      if (row.value)
        kernels[row.symbol] = {row.value, nullptr,
                               row.is_kept_bool            ? Result::as_operands
                               : is_comparison(row.symbol) ? Result::truth
                                                           : Result::integer};
    return kernels;
  }();
  const auto found = all.find(name);
  return found == all.end() ? nullptr : &found->second;
}

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
