// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/tensor/tensor_values.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor.h"

#include <algorithm>
#include <array>

namespace vqscope::language {
namespace {

constexpr std::size_t most_sides = 8;

bool gather_list(Compilation& c, const Value& value, std::size_t depth, Tensor& tensor, std::vector<Value>& items,
                 Range range) {
  const auto refuse = [&](const char* message) { return c.fail(range, message), false; };
  if (depth > most_sides) return refuse("an array has too many dimensions here");
  if (value.kind == Value::Kind::tensor || value.kind == Value::Kind::array) {
    const TensorPtr inner = as_tensor(c, {value, "", range});
    if (!inner) return false;
    for (std::size_t i = 0; i < inner->shape.size(); ++i) {
      if (tensor.shape.size() <= depth + i) tensor.shape.push_back(inner->shape[i]);
      if (tensor.shape[depth + i] != inner->shape[i])
        return refuse("the rows of this array do not have the same length");
    }
    for (Index i = 0; i < inner->size(); ++i) items.push_back(element_at(c, *inner, i, range));
    return !c.failed();
  }
  if (value.kind != Value::Kind::tuple) {
    if (tensor.shape.size() != depth) return refuse("the rows of this array do not have the same length");
    if (value.kind == Value::Kind::ratio) {
      items.push_back(value);
      return true;
    }
    const NodeId id = c.as_node(value, range);
    if (!c.failed()) items.push_back(c.of_node(id));
    return !c.failed();
  }
  const auto size = static_cast<Index>(value.items->size());
  if (tensor.shape.size() <= depth) {
    if (!items.empty()) return refuse("the rows of this array do not have the same length");
    tensor.shape.push_back(size);
  }
  if (tensor.shape[depth] != size) return refuse("the rows of this array do not have the same length");
  return std::ranges::all_of(*value.items,
                             [&](const Value& one) { return gather_list(c, one, depth + 1, tensor, items, range); });
}

/// Values that are all known become numbers.
void simplify(Compilation& c, Tensor& tensor) {
  std::vector<Index> numbers;
  bool is_bool = !tensor.values.empty();
  for (const Value& value : tensor.values) {
    const bool is_whole = value.kind == Value::Kind::ratio && c.settled(value.denominator) == std::optional<Index>(1);
    const auto known = value.kind == Value::Kind::node || is_whole ? c.settled(value.node) : std::nullopt;
    is_bool = is_bool && value.kind == Value::Kind::node && c.node(value.node).is_bool;
    if (known) numbers.push_back(*known);
  }
  tensor.is_bool = tensor.values.empty() ? tensor.is_bool : is_bool;
  if (numbers.size() == tensor.values.size()) {
    tensor.numbers = std::move(numbers);
    tensor.values.clear();
  } else if (tensor.size() > most_cell_values) {
    c.fail({}, "an array whose values differ by cell must have at most {} of them", most_cell_values);
  }
}

}  // namespace

Value sizes_list(Compilation& c, std::span<const Index> shape, Range range) {
  std::vector<Value> sides;
  for (const Index side : shape) sides.push_back(c.number_value(side, range));
  return c.failed() ? Value{} : c.list_value(std::move(sides));
}

std::optional<Index> counted(Compilation& c, std::span<const Index> shape, Range range) {
  const auto count = element_count(shape);
  if (std::ranges::any_of(shape, [](Index side) { return side < 0; }))
    return c.fail(range, "an array of shape {} has a negative dimension", shape_text(shape)), std::nullopt;
  if (!count || shape.size() > most_sides) c.fail(range, "an array of shape {} is too large here", shape_text(shape));
  return count && c.spend(*count, range) ? count : std::nullopt;
}

bool is_tensor(const Compilation& c, const Value& value) {
  if (value.kind == Value::Kind::tensor || value.kind == Value::Kind::array) return true;
  if (value.kind != Value::Kind::free_name || value.default_value) return false;
  return c.given.arrays.contains(value.name) ||
         (c.array_names.contains(value.name) && !c.given.integers.contains(value.name));
}

bool any_tensor(const Compilation& c, const std::vector<Argument>& arguments) {
  return std::ranges::any_of(arguments, [&](const Argument& argument) { return is_tensor(c, argument.value); });
}

TensorPtr as_tensor(Compilation& c, const Argument& argument) {
  const Value& value = argument.value;
  if (c.failed()) return nullptr;
  if (value.kind == Value::Kind::tensor) return value.tensor;
  auto made = std::make_shared<Tensor>();
  made->choices = c.choices;
  if (value.kind == Value::Kind::free_name && is_tensor(c, value)) {
    const auto given = c.given.arrays.find(value.name);
    if (given == c.given.arrays.end()) return c.lacking(value, argument.range), nullptr;
    if (const auto known = c.given_tensors.find(value.name); known != c.given_tensors.end()) return known->second;
    const Index place = c.array_place(value, IndexedBy::other, argument.range);
    const GivenArray& array = given->second;
    if (c.failed() || !c.spend(static_cast<Index>(array.values.size()), argument.range)) return nullptr;
    c.out.code.arrays[static_cast<std::size_t>(place)].decides = true;
    made->shape = array.shape;
    if (array.shape.empty()) {
      // A list is one sample where the text slices [B, T].
      const auto sliced = c.sliced.find(value.name);
      made->shape.assign(sliced == c.sliced.end() ? 1 : std::max<std::size_t>(sliced->second, 1), 1);
      made->shape.back() = static_cast<Index>(array.values.size());
    }
    made->is_bool = array.is_bool;
    made->numbers.assign(array.values.begin(), array.values.end());
    return c.given_tensors[value.name] = made;
  }
  if (value.kind == Value::Kind::array) {
    const ArrayUse& use = c.out.code.arrays[static_cast<std::size_t>(value.place)];
    if (use.source == ArraySource::literal) {
      made->shape = use.shape.empty() ? std::vector<Index>{static_cast<Index>(use.values.size())} : use.shape;
      made->numbers = use.values;
      return made;
    }
    const Value name{.kind = Value::Kind::free_name, .name = use.name};
    if (use.source == ArraySource::given && c.given.arrays.contains(use.name))
      return as_tensor(c, {name, "", argument.range});
    if (use.source == ArraySource::given) return c.lacking(name, argument.range), nullptr;
    return c.fail(argument.range, "the values of {} are not known while the text is read", shortened(use.name)),
           nullptr;
  }
  std::vector<Value> items;
  if (!gather_list(c, value, 0, *made, items, argument.range)) return nullptr;
  if (element_count(made->shape) != std::optional(static_cast<Index>(items.size())))
    return c.fail(argument.range, "the rows of this array do not have the same length"), nullptr;
  made->values = std::move(items);
  if (!c.spend(made->size(), argument.range)) return nullptr;
  simplify(c, *made);
  return c.failed() ? nullptr : made;
}

TensorPtr array_at(Compilation& c, const Argument& argument) {
  const Value& value = argument.value;
  const bool is_open = value.kind == Value::Kind::free_name && !value.default_value && !is_tensor(c, value);
  if (is_open && !c.failed()) return c.lacking(value, argument.range), nullptr;
  return as_tensor(c, argument);
}

Value of_tensor(Compilation& c, Tensor tensor, Range range) {
  if (c.failed()) return {};
  if (tensor.shape.empty()) return element_at(c, tensor, 0, range);
  tensor.choices = c.choices;
  return {.kind = Value::Kind::tensor, .tensor = std::make_shared<Tensor>(std::move(tensor))};
}

Value element_at(Compilation& c, const Tensor& tensor, Index place, Range range) {
  const auto at = static_cast<std::size_t>(place);
  if (!tensor.is_known()) return tensor.values[at];
  return c.of_node(c.build.constant(tensor.numbers[at], tensor.is_bool, range));
}

std::vector<Value> rows_of(Compilation& c, const TensorPtr& tensor, Range range) {
  std::vector<Value> rows;
  if (!tensor || tensor->shape.empty()) return rows;
  const std::vector<Index> shape(tensor->shape.begin() + 1, tensor->shape.end());
  const Index size = element_count(shape).value_or(0);
  for (Index row = 0; row < tensor->shape.front() && c.spend(size, range); ++row) {
    std::vector<Index> places(static_cast<std::size_t>(size));
    for (Index i = 0; i < size; ++i) places[static_cast<std::size_t>(i)] = row * size + i;
    rows.push_back(of_tensor(c, rearranged(*tensor, shape, places), range));
  }
  return rows;
}

std::optional<Index> known_number(Compilation& c, const Argument& argument) {
  Value value = argument.value;
  if (value.kind == Value::Kind::tensor && value.tensor->size() == 1)
    value = element_at(c, *value.tensor, 0, argument.range);
  const NodeId id = c.as_node(value, argument.range);
  const auto known = c.failed() ? std::nullopt : c.settled(id);
  if (!known) c.fail(argument.range, "an integer is needed here that is known before any cell is evaluated");
  return known;
}

std::optional<std::vector<Index>> known_integers(Compilation& c, const std::vector<Argument>& arguments) {
  std::vector<Index> all;
  for (const Argument& argument : arguments) {
    if (argument.value.kind == Value::Kind::tuple || argument.value.kind == Value::Kind::tensor) {
      const TensorPtr list = as_tensor(c, argument);
      if (!list) return std::nullopt;
      for (Index i = 0; i < list->size(); ++i) {
        const auto known = known_number(c, {element_at(c, *list, i, argument.range), "", argument.range});
        if (!known) return std::nullopt;
        all.push_back(*known);
      }
      continue;
    }
    const auto known = known_number(c, argument);
    if (!known) return std::nullopt;
    all.push_back(*known);
  }
  return all;
}

std::optional<Tensor> filled(Compilation& c, std::vector<Index> shape, Index number, bool is_bool, Range range) {
  const auto count = counted(c, shape, range);
  if (!count) return std::nullopt;
  Tensor made{.shape = std::move(shape), .is_bool = is_bool};
  made.numbers.assign(static_cast<std::size_t>(*count), number);
  return made;
}

Value each_element(Compilation& c, const std::string& name, const std::vector<Argument>& operands,
                   const OfValues& of_values, Range range) {
  std::vector<TensorPtr> tensors;
  std::vector<Index> shape;
  bool all_known = true, all_bool = true;
  for (const Argument& operand : operands) {
    tensors.push_back(as_tensor(c, operand));
    if (!tensors.back()) return {};
    const auto common = broadcast(shape, tensors.back()->shape);
    if (!common)
      return c.fail(range, "arrays of shapes {} and {} do not fit together", shape_text(shape),
                    shape_text(tensors.back()->shape));
    shape = *common;
    all_known = all_known && tensors.back()->is_known();
    all_bool = all_bool && (tensors.back()->is_bool || (name == "where" && tensors.size() == 1));
  }
  const auto count = counted(c, shape, range);
  if (!count) return {};
  const NumberKernel* kernel = number_kernel(name == "~" ? (all_bool ? "logical_not" : "bit_not") : name);
  std::vector<std::vector<Index>> places;
  places.reserve(tensors.size());
  for (const TensorPtr& tensor : tensors) places.push_back(broadcast_places(tensor->shape, shape));
  Tensor made{.shape = shape};
  if (all_known && kernel) {
    using Result = NumberKernel::Result;
    made.is_bool = kernel->result == Result::truth || (kernel->result == Result::as_operands && all_bool);
    made.numbers.reserve(static_cast<std::size_t>(*count));
    for (std::size_t i = 0; i < static_cast<std::size_t>(*count); ++i) {
      std::array<Index, 3> numbers{};
      for (std::size_t k = 0; k < tensors.size() && k < 3; ++k)
        numbers[k] = tensors[k]->numbers[static_cast<std::size_t>(places[k][i])];
      const auto result = kernel->of(numbers);
      if (!result) return c.fail(range, "an element of this array has no value in 64 bits");
      made.numbers.push_back(made.is_bool ? (*result != 0 ? 1 : 0) : *result);
    }
    return of_tensor(c, std::move(made), range);
  }
  if (*count > most_cell_values)
    return c.fail(range, "this is applied to {} elements that are not known integers but must be at most {}", *count,
                  most_cell_values);
  for (std::size_t i = 0; i < static_cast<std::size_t>(*count); ++i) {
    std::vector<Argument> cell = operands;
    for (std::size_t k = 0; k < tensors.size(); ++k)
      cell[k].value = element_at(c, *tensors[k], places[k][i], operands[k].range);
    made.values.push_back(of_values(cell));
    if (c.failed()) return {};
  }
  simplify(c, made);
  return of_tensor(c, std::move(made), range);
}

}  // namespace vqscope::language
