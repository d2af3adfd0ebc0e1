// SPDX-License-Identifier: GPL-3.0-or-later
// Operations along a dimension, element by element: running sums, differences, orders.
#include "core/mask/language/compile/tensor/tensor_operations.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_access.h"
#include "core/mask/language/compile/tensor/tensor_call.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace vqscope::language {
namespace {

/// Calls `line(place)` for each line along a dimension, where place(i) is the index of its i-th
/// element.
template <class Line>
void along_lines(std::span<const Index> shape, std::size_t side, const Line& line) {
  const Index stride = strides_of(shape)[side], count = element_count(shape).value_or(0);
  for (Index start = 0; start < count; ++start)
    if (start / stride % shape[side] == 0)
      line([start, stride](Index i) { return static_cast<std::size_t>(start + i * stride); });
}

/// Differences of consecutive elements along a dimension; for truth values, whether they differ.
Value stepped(Compilation& c, const Tensor& from, std::size_t side, Range range) {
  Tensor made{.shape = from.shape, .is_bool = from.is_bool, .numbers = from.numbers};
  bool fits = true;
  along_lines(from.shape, side, [&](const auto& place) {
    for (Index i = from.shape[side]; i-- > 1;) {
      const Index own = from.numbers[place(i)], before = from.numbers[place(i - 1)];
      const auto step = from.is_bool ? std::optional<Index>(own != before ? 1 : 0) : subtract(own, before);
      fits = fits && step;
      made.numbers[place(i)] = step.value_or(0);
    }
  });
  if (!fits || !c.spend(from.size(), range)) return c.fail(range, "this diff does not fit in 64 bits");
  std::vector<Subscript> behind(side, {.kind = Subscript::Kind::slice});
  behind.push_back({.kind = Subscript::Kind::slice, .first = 1});
  return read_elements(c, std::make_shared<Tensor>(std::move(made)), behind, range);
}

/// The operand of diff: the array between `prepend` and `append`. A number is repeated as in NumPy.
TensorPtr joined_ends(Compilation& c, const TensorCall& call, const TensorPtr& from) {
  const std::array<const Argument*, 2> ends{call.at(3, "prepend"), call.at(4, "append")};
  const auto side = from && (ends[0] || ends[1]) ? side_given(c, call, 2, -1, from->sides()) : std::nullopt;
  if (!side) return c.failed() ? nullptr : from;
  std::vector<Value> parts{{.kind = Value::Kind::tensor, .tensor = from}};
  for (const Argument* end : ends) {
    TensorPtr part = end ? as_tensor(c, *end) : nullptr;
    if (c.failed()) return nullptr;
    if (!part) continue;
    if (part->sides() == 0) {
      auto shape = from->shape;
      shape[*side] = 1;
      part = std::make_shared<Tensor>(rearranged(*part, shape, broadcast_places({}, shape)));
    }
    parts.insert(end == ends[0] ? parts.begin() : parts.end(), {.kind = Value::Kind::tensor, .tensor = part});
  }
  const Argument along{c.number_value(static_cast<Index>(*side), call.range), "", call.range};
  const Value whole = cat(c, {"cat", {{c.list_value(std::move(parts)), "", call.range}, along}, call.range});
  if (c.failed()) return nullptr;
  if (!whole.tensor->is_known()) return c.fail(call.range, "diff takes an array of known numbers"), nullptr;
  return whole.tensor;
}

}  // namespace

/// cumsum, cumprod, cummax and cummin; without a dimension NumPy treats the array as a list.
Value scan(Compilation& c, const TensorCall& call) {
  const TensorPtr from = known_object_of(c, call);
  if (!from) return {};
  const bool is_list = from->sides() < 2 || !call.at(1, "dim", "axis");
  const std::vector<Index> shape = is_list ? std::vector<Index>{from->size()} : from->shape;
  const auto side = side_given(c, call, 1, 0, static_cast<Index>(shape.size()));
  if (!side) return {};
  Tensor made{.shape = shape, .numbers = from->numbers};
  bool fits = true;
  along_lines(shape, *side, [&](const auto& place) {
    for (Index i = 1; i < shape[*side] && fits; ++i) {
      const Index before = made.numbers[place(i - 1)], own = made.numbers[place(i)];
      const auto next = call.name == "cumsum"    ? add(before, own)
                        : call.name == "cumprod" ? multiply(before, own)
                        : call.name == "cummax"  ? std::optional(std::max(before, own))
                                                 : std::optional(std::min(before, own));
      fits = next.has_value();
      made.numbers[place(i)] = next.value_or(0);
    }
  });
  if (!fits) return c.fail(call.range, "this {} does not fit in 64 bits", call.name);
  Value result = of_tensor(c, std::move(made), call.range);
  // The indices that torch returns with extremes are not known here.
  const bool gives_places = call.name == "cummax" || call.name == "cummin";
  return gives_places ? c.list_value({std::move(result)}) : result;
}

Value diff(Compilation& c, const TensorCall& call) {
  TensorPtr from = joined_ends(c, call, known_object_of(c, call));
  const Argument* times = call.at(1, "n");
  const auto count = times ? known_number(c, *times) : std::optional<Index>(1);
  const auto side = from && count ? side_given(c, call, 2, -1, from->sides()) : std::nullopt;
  if (!side) return {};
  if (*count < 0) return c.fail(call.range, "n of diff must be 0 or more, found " + to_text(*count));
  Value result{.kind = Value::Kind::tensor, .tensor = from};
  const Index most = std::min(*count, from->shape[*side]);
  for (Index i = 0; i < most && !c.failed(); ++i) result = stepped(c, *result.tensor, *side, call.range);
  return result;
}

/// argsort returns indices; torch's sort returns values and indices.
Value sort(Compilation& c, const TensorCall& call) {
  const TensorPtr from = known_object_of(c, call);
  const Argument* turned = call.at(2, "descending");
  const bool descends = turned && known_number(c, *turned).value_or(0) != 0;
  const auto side = from && !c.failed() ? side_given(c, call, 1, -1, from->sides()) : std::nullopt;
  if (!side) return {};
  Tensor made{.shape = from->shape, .is_bool = from->is_bool, .numbers = from->numbers};
  Tensor order{.shape = from->shape, .numbers = from->numbers};
  along_lines(from->shape, *side, [&](const auto& place) {
    std::vector<Index> ranks(static_cast<std::size_t>(from->shape[*side]));
    std::iota(ranks.begin(), ranks.end(), Index{0});
    std::ranges::stable_sort(ranks, [&](Index a, Index b) {
      const Index x = from->numbers[place(a)], y = from->numbers[place(b)];
      return descends ? x > y : x < y;
    });
    for (Index i = 0; i < from->shape[*side]; ++i) {
      order.numbers[place(i)] = ranks[static_cast<std::size_t>(i)];
      made.numbers[place(i)] = from->numbers[place(ranks[static_cast<std::size_t>(i)])];
    }
  });
  const Value places = of_tensor(c, std::move(order), call.range);
  return call.name == "argsort" ? places : c.list_value({of_tensor(c, std::move(made), call.range), places});
}

Value bincount(Compilation& c, const TensorCall& call) {
  const TensorPtr from = known_object_of(c, call);
  const Argument* least = call.at(2, "minlength");
  const auto length = least ? known_number(c, *least) : std::optional<Index>(0);
  if (!from || !length) return {};
  Index most = std::max<Index>(*length, 0);
  for (const Index value : from->numbers) {
    if (value < 0) return c.fail(call.range, "bincount counts integers of 0 or more, found " + to_text(value));
    most = std::max(most, add(value, 1).value_or(highest));
  }
  auto made = filled(c, {most}, 0, false, call.range);
  if (!made) return {};
  for (const Index value : from->numbers) ++made->numbers[static_cast<std::size_t>(value)];
  return of_tensor(c, std::move(*made), call.range);
}

}  // namespace vqscope::language
