// SPDX-License-Identifier: GPL-3.0-or-later
// Selection and repetition of elements.
#include "core/mask/language/compile/tensor/tensor_operations.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_access.h"
#include "core/mask/language/compile/tensor/tensor_call.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>
#include <numeric>

namespace vqscope::language {
namespace {

Value list_of(Compilation& c, const TensorPtr& tensor, Range range) {
  std::vector<Value> rows = rows_of(c, tensor, range);
  for (Value& row : rows)
    if (row.kind == Value::Kind::tensor) row = list_of(c, row.tensor, range);
  return c.list_value(std::move(rows));
}

Value picked_along(Compilation& c, const TensorPtr& from, std::size_t side, std::vector<Index> indices, Range range) {
  Tensor own{.numbers = std::move(indices)};
  own.shape = {own.size()};
  std::vector<Subscript> subscripts(side, {.kind = Subscript::Kind::slice});
  subscripts.push_back({.value = {of_tensor(c, std::move(own), range), "", range}});
  return c.failed() ? Value{} : read_elements(c, from, subscripts, range);
}

}  // namespace

Value tolist(Compilation& c, const TensorCall& call) {
  const TensorPtr from = object_of(c, call);
  if (!from) return {};
  return from->shape.empty() ? element_at(c, *from, 0, call.range) : list_of(c, from, call.range);
}

/// repeat_interleave(x, counts, dim); with only counts, the index of each element.
Value repeat_interleave(Compilation& c, const TensorCall& call) {
  const TensorPtr from = object_of(c, call);
  const Argument* times = call.at(1, "repeats");
  const TensorPtr repeats = from && times ? as_tensor(c, *times) : from;
  if (!repeats) return {};
  const bool is_flat = !call.at(2, "dim", "axis");
  const auto side = is_flat ? std::optional<std::size_t>(0) : side_given(c, call, 2, 0, from->sides());
  if (!side) return {};
  const Index size = is_flat ? from->size() : from->shape[*side];
  if (!repeats->is_known()) return c.fail(call.range, "how often each element is repeated must be known");
  std::vector<Index> indices;
  for (Index i = 0; i < size; ++i) {
    const auto at = static_cast<std::size_t>(repeats->size() == 1 ? 0 : i);
    if (at >= repeats->numbers.size() || repeats->numbers[at] < 0)
      return c.fail(call.range, "repeat_interleave takes one count, 0 or more, for each of {} elements", size);
    if (!c.spend(std::min<Index>(repeats->numbers[at], Index{1} << 40), call.range)) return {};
    indices.insert(indices.end(), static_cast<std::size_t>(repeats->numbers[at]), i);
  }
  if (times && !is_flat) return picked_along(c, from, *side, std::move(indices), call.range);
  const auto count = static_cast<Index>(indices.size());
  if (times) return of_tensor(c, rearranged(*from, {count}, indices), call.range);
  return of_tensor(c, {.shape = {count}, .numbers = std::move(indices)}, call.range);
}

Value index_select(Compilation& c, const TensorCall& call) {
  const TensorPtr from = object_of(c, call);
  const Argument* index = call.at(2, "index");
  const auto side = from ? side_given(c, call, 1, 0, from->sides()) : std::nullopt;
  if (!side) return {};
  if (!index) return c.fail(call.range, "index_select takes a dimension and indices");
  const auto indices = known_integers(c, {*index});
  return indices ? picked_along(c, from, *side, *indices, call.range) : Value{};
}

Value masked_select(Compilation& c, const TensorCall& call) {
  const TensorPtr from = object_of(c, call);
  const Argument* mask = call.at(1, "mask");
  if (!from) return {};
  return mask ? read_elements(c, from, {{.value = *mask}}, call.range)
              : c.fail(call.range, "masked_select takes a mask");
}

/// split(x, width) and split(x, widths), chunk(x, count)
Value split(Compilation& c, const TensorCall& call) {
  const TensorPtr from = object_of(c, call);
  const Argument* given =
      call.name == "chunk" ? call.at(1, "chunks") : call.at(1, "split_size_or_sections", "split_size");
  const auto side = from ? side_given(c, call, 2, 0, from->sides()) : std::nullopt;
  if (!side) return {};
  auto widths = given ? known_integers(c, {*given}) : std::nullopt;
  if (c.failed()) return {};
  if (!widths || widths->empty()) return c.fail(call.range, call.name + " takes the number or the sizes of the parts");
  const Index size = from->shape[*side];
  if (call.name == "chunk") widths->front() = widths->front() < 1 ? 0 : (size - 1) / widths->front() + 1;
  const bool is_list = given->value.kind == Value::Kind::tuple;
  std::vector<Value> parts;
  const std::size_t most = is_list ? widths->size() : static_cast<std::size_t>(size);
  Index first = 0;
  while (is_list ? parts.size() < most : first < size) {
    const Index requested = (*widths)[is_list ? parts.size() : 0];
    const Index width = is_list ? requested : std::min(requested, size - first);
    if (width < (is_list ? 0 : 1) || width > size - first) break;
    std::vector<Index> indices(static_cast<std::size_t>(width));
    std::iota(indices.begin(), indices.end(), first);
    parts.push_back(picked_along(c, from, *side, std::move(indices), call.range));
    if (c.failed()) return {};
    first += width;
  }
  if (first != size || (is_list && parts.size() != most))
    return c.fail(call.range, "the parts of {} do not add up to the array", call.name);
  return c.list_value(std::move(parts));
}

Value unbind(Compilation& c, const TensorCall& call) {
  const TensorPtr from = object_of(c, call);
  const auto side = from ? side_given(c, call, 1, 0, from->sides()) : std::nullopt;
  if (!side) return {};
  std::vector<Value> parts;
  for (Index i = 0; i < from->shape[*side] && !c.failed(); ++i) {
    std::vector<Subscript> subscripts(*side, {.kind = Subscript::Kind::slice});
    subscripts.push_back({.value = {c.number_value(i, call.range), "", call.range}});
    parts.push_back(read_elements(c, from, subscripts, call.range));
  }
  return c.list_value(std::move(parts));
}

Value gather(Compilation& c, const TensorCall& call) {
  const TensorPtr from = object_of(c, call);
  const bool is_torch = call.name == "gather";
  const Argument* index = call.at(is_torch ? 2 : 1, "index", "indices");
  const auto side = from ? side_given(c, call, is_torch ? 1 : 2, 0, from->sides()) : std::nullopt;
  const TensorPtr indices = side && index ? as_tensor(c, *index) : nullptr;
  if (c.failed()) return {};
  if (!indices || indices->sides() != from->sides())
    return c.fail(call.range, call.name + " takes a dimension, and indices with as many dimensions as the array");
  return read_elements(c, from, moved_to(c, *indices, *side, call.range), call.range);
}

/// The matrix that has these elements on a diagonal, and 0 elsewhere.
Value matrix_of_diagonal(Compilation& c, const Tensor& line, Index offset, Range range) {
  const auto away = offset < 0 ? subtract(0, offset) : std::optional(offset);
  const Index row = offset < 0 ? away.value_or(highest) : 0, column = offset > 0 ? offset : 0;
  const auto side = away ? add(line.size(), *away) : std::nullopt;
  auto made = side ? filled(c, {*side, *side}, 0, line.is_bool, range) : std::nullopt;
  if (!made) return c.failed() ? Value{} : c.fail(range, "this diagonal lies outside of every array");
  for (Index i = 0; i < line.size(); ++i)
    made->numbers[static_cast<std::size_t>((row + i) * *side + column + i)] = line.numbers[static_cast<std::size_t>(i)];
  return of_tensor(c, std::move(*made), range);
}

Value diagonal(Compilation& c, const TensorCall& call) {
  const TensorPtr from = object_of(c, call);
  if (!from) return {};
  const bool is_list = from->sides() == 1 && call.name == "diag" && from->is_known();
  if (from->sides() != 2 && !is_list) return c.fail(call.range, call.name + " takes an array of two dimensions");
  const Argument* given = call.at(1, "offset", "diagonal");
  const Argument* moved = given ? given : call.at(1, "k");
  const auto offset = moved ? known_number(c, *moved) : std::optional<Index>(0);
  if (!offset) return {};
  if (is_list) return matrix_of_diagonal(c, *from, *offset, call.range);
  std::vector<Index> places;
  for (Index i = 0; i < from->shape[0]; ++i)
    if (const auto at = add(i, *offset); at && *at >= 0 && *at < from->shape[1])
      places.push_back(i * from->shape[1] + *at);
  const auto count = static_cast<Index>(places.size());
  return of_tensor(c, rearranged(*from, {count}, places), call.range);
}

Value unique(Compilation& c, const TensorCall& call) {
  const TensorPtr from = known_object_of(c, call);
  const auto is_set = [&](const char* keyword) {
    const Argument* flag = call.at(call.arguments.size(), keyword);
    return flag && known_number(c, *flag).value_or(0) != 0;
  };
  const bool of_inverse = is_set("return_inverse"), of_counts = is_set("return_counts");
  if (!from || c.failed()) return {};
  // The elements in an order in which equal ones are adjacent.
  std::vector<std::size_t> order(from->numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto number = [&](std::size_t i) { return from->numbers[i]; };
  if (call.name == "unique") std::ranges::stable_sort(order, {}, number);
  Tensor made{.is_bool = from->is_bool}, inverse{.shape = from->shape}, counts;
  inverse.numbers.resize(order.size());
  for (const std::size_t i : order) {
    if (made.numbers.empty() || made.numbers.back() != number(i)) {
      made.numbers.push_back(number(i));
      counts.numbers.push_back(0);
    }
    ++counts.numbers.back();
    inverse.numbers[i] = made.size() - 1;
  }
  made.shape = counts.shape = {made.size()};
  Value values = of_tensor(c, std::move(made), call.range);
  if (!of_inverse && !of_counts) return values;
  std::vector<Value> all{values};
  if (of_inverse) all.push_back(of_tensor(c, std::move(inverse), call.range));
  if (of_counts) all.push_back(of_tensor(c, std::move(counts), call.range));
  return c.list_value(std::move(all));
}

/// One row of indices for each element that is not 0; with as_tuple=True one list for each
/// dimension.
Value nonzero(Compilation& c, const TensorCall& call) {
  const TensorPtr from = known_object_of(c, call);
  const Argument* as_tuple = call.at(1, "as_tuple");
  const bool is_tuple = as_tuple && known_number(c, *as_tuple).value_or(0) != 0;
  if (!from || c.failed()) return {};
  const auto strides = strides_of(from->shape);
  std::vector<Tensor> columns(from->shape.size());
  Tensor rows;
  for (Index i = 0; i < from->size(); ++i)
    for (std::size_t s = 0; s < from->shape.size() && from->numbers[static_cast<std::size_t>(i)] != 0; ++s) {
      const Index at = i / strides[s] % from->shape[s];
      columns[s].numbers.push_back(at);
      rows.numbers.push_back(at);
    }
  if (!is_tuple) {
    rows.shape = {rows.size() / std::max<Index>(from->sides(), 1), from->sides()};
    return of_tensor(c, std::move(rows), call.range);
  }
  std::vector<Value> all;
  for (Tensor& column : columns) {
    column.shape = {column.size()};
    all.push_back(of_tensor(c, std::move(column), call.range));
  }
  return c.list_value(std::move(all));
}

}  // namespace vqscope::language
