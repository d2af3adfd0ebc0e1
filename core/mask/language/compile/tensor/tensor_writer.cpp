// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/tensor/tensor_writer.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/number_kernels.h"

#include <algorithm>
#include <array>

namespace vqscope::language {
namespace {

constexpr Index most_elements = Index{1} << 26;  // of all tensors of a text
constexpr Index most_values = 4096;              // of a tensor whose elements differ by cell
constexpr std::size_t most_sides = 8;

}  // namespace

bool TensorWriter::spend(Index elements, Range range) {
  if (failed()) return false;
  m_elements += elements;
  if (m_elements <= most_elements) return true;
  fail(range, "the arrays of the text come to more than " + to_text(most_elements) + " elements");
  return false;
}

std::optional<Index> TensorWriter::counted(std::span<const Index> shape, Range range) {
  const auto count = element_count(shape);
  if (!count || shape.size() > most_sides) fail(range, "an array of shape " + shape_text(shape) + " is too large here");
  return count && spend(*count, range) ? count : std::nullopt;
}

bool TensorWriter::is_tensor(const Value& value) const {
  if (value.kind == Value::Kind::tensor || value.kind == Value::Kind::array) return true;
  if (value.kind != Value::Kind::free_name || value.fallback) return false;
  return m_given.arrays.contains(value.name) ||
         (m_array_names.contains(value.name) && !m_given.integers.contains(value.name));
}

bool TensorWriter::any_tensor(const std::vector<Argument>& arguments) const {
  return std::ranges::any_of(arguments, [&](const Argument& argument) { return is_tensor(argument.value); });
}

TensorPtr TensorWriter::as_tensor(const Argument& argument) {
  const Value& value = argument.value;
  if (failed()) return nullptr;
  if (value.kind == Value::Kind::tensor) return value.tensor;
  auto made = std::make_shared<Tensor>();
  made->choices = m_choices;
  if (value.kind == Value::Kind::free_name && is_tensor(value)) {
    const auto given = m_given.arrays.find(value.name);
    if (given == m_given.arrays.end()) return lacking(value, argument.range), nullptr;
    if (const auto known = m_given_tensors.find(value.name); known != m_given_tensors.end()) return known->second;
    const Index place = array_place(value, IndexedBy::other, argument.range);
    const GivenArray& array = given->second;
    if (failed() || !spend(static_cast<Index>(array.values.size()), argument.range)) return nullptr;
    m_out.code.arrays[static_cast<std::size_t>(place)].decides = true;
    made->shape = array.shape.empty() ? std::vector<Index>{static_cast<Index>(array.values.size())} : array.shape;
    made->is_bool = array.is_bool;
    made->numbers.assign(array.values.begin(), array.values.end());
    return m_given_tensors[value.name] = made;
  }
  if (value.kind == Value::Kind::array) {
    const ArrayUse& use = m_out.code.arrays[static_cast<std::size_t>(value.place)];
    if (use.source == ArraySource::literal) {
      made->shape = use.shape.empty() ? std::vector<Index>{static_cast<Index>(use.values.size())} : use.shape;
      made->numbers = use.values;
      return made;
    }
    const Value name{.kind = Value::Kind::free_name, .name = use.name};
    if (use.source == ArraySource::given && m_given.arrays.contains(use.name))
      return as_tensor({name, "", argument.range});
    if (use.source == ArraySource::given) return lacking(name, argument.range), nullptr;
    return fail(argument.range, "the values of " + shortened(use.name) + " are not known while the text is read"),
           nullptr;
  }
  std::vector<Value> items;
  if (!gather_list(value, 0, *made, items, argument.range)) return nullptr;
  if (element_count(made->shape) != std::optional(static_cast<Index>(items.size())))
    return fail(argument.range, "the rows of this array are not equally long"), nullptr;
  made->values = std::move(items);
  if (!spend(made->size(), argument.range)) return nullptr;
  simplify(*made);
  return failed() ? nullptr : made;
}

TensorPtr TensorWriter::array_at(const Argument& argument) {
  const Value& value = argument.value;
  const bool is_open = value.kind == Value::Kind::free_name && !value.fallback && !is_tensor(value);
  if (is_open && !failed()) return lacking(value, argument.range), nullptr;
  return as_tensor(argument);
}

bool TensorWriter::gather_list(const Value& value, std::size_t depth, Tensor& tensor, std::vector<Value>& items,
                               Range range) {
  const auto refuse = [&](const char* message) { return fail(range, message), false; };
  if (depth > most_sides) return refuse("an array has too many sides here");
  if (value.kind == Value::Kind::tensor || value.kind == Value::Kind::array) {
    const TensorPtr inner = as_tensor({value, "", range});
    if (!inner) return false;
    for (std::size_t i = 0; i < inner->shape.size(); ++i) {
      if (tensor.shape.size() <= depth + i) tensor.shape.push_back(inner->shape[i]);
      if (tensor.shape[depth + i] != inner->shape[i]) return refuse("the rows of this array are not equally long");
    }
    for (Index i = 0; i < inner->size(); ++i) items.push_back(item(*inner, i, range));
    return !failed();
  }
  if (value.kind != Value::Kind::tuple) {
    if (tensor.shape.size() != depth) return refuse("the rows of this array are not equally long");
    if (value.kind == Value::Kind::ratio) {
      items.push_back(value);
      return true;
    }
    const NodeId id = as_node(value, range);
    if (!failed()) items.push_back(of_node(id));
    return !failed();
  }
  const auto size = static_cast<Index>(value.items->size());
  if (tensor.shape.size() <= depth) {
    if (!items.empty()) return refuse("the rows of this array are not equally long");
    tensor.shape.push_back(size);
  }
  if (tensor.shape[depth] != size) return refuse("the rows of this array are not equally long");
  return std::ranges::all_of(*value.items,
                             [&](const Value& one) { return gather_list(one, depth + 1, tensor, items, range); });
}

/// Values that are all known become numbers.
void TensorWriter::simplify(Tensor& tensor) {
  std::vector<Index> numbers;
  bool is_bool = !tensor.values.empty();
  for (const Value& value : tensor.values) {
    const bool is_whole = value.kind == Value::Kind::ratio && settled(value.denominator) == std::optional<Index>(1);
    const auto known = value.kind == Value::Kind::node || is_whole ? settled(value.node) : std::nullopt;
    is_bool = is_bool && value.kind == Value::Kind::node && node(value.node).is_bool;
    if (known) numbers.push_back(*known);
  }
  tensor.is_bool = tensor.values.empty() ? tensor.is_bool : is_bool;
  if (numbers.size() == tensor.values.size()) {
    tensor.numbers = std::move(numbers);
    tensor.values.clear();
  } else if (tensor.size() > most_values) {
    fail({}, "an array whose values differ by cell may have " + to_text(most_values) + " of them");
  }
}

Value TensorWriter::of_tensor(Tensor tensor, Range range) {
  if (failed()) return {};
  if (tensor.shape.empty()) return item(tensor, 0, range);
  tensor.choices = m_choices;
  return {.kind = Value::Kind::tensor, .tensor = std::make_shared<Tensor>(std::move(tensor))};
}

Value TensorWriter::item(const Tensor& tensor, Index place, Range range) {
  const auto at = static_cast<std::size_t>(place);
  if (!tensor.is_known()) return tensor.values[at];
  return of_node(m_build.constant(tensor.numbers[at], tensor.is_bool, range));
}

std::vector<Value> TensorWriter::rows_of(const TensorPtr& tensor, Range range) {
  std::vector<Value> rows;
  if (!tensor || tensor->shape.empty()) return rows;
  const std::vector<Index> shape(tensor->shape.begin() + 1, tensor->shape.end());
  const Index size = element_count(shape).value_or(0);
  for (Index row = 0; row < tensor->shape.front() && spend(size, range); ++row) {
    std::vector<Index> places(static_cast<std::size_t>(size));
    for (Index i = 0; i < size; ++i) places[static_cast<std::size_t>(i)] = row * size + i;
    rows.push_back(of_tensor(rearranged(*tensor, shape, places), range));
  }
  return rows;
}

std::optional<Index> TensorWriter::number(const Argument& argument) {
  Value value = argument.value;
  if (value.kind == Value::Kind::tensor && value.tensor->size() == 1) value = item(*value.tensor, 0, argument.range);
  const NodeId id = as_node(value, argument.range);
  const auto known = failed() ? std::nullopt : settled(id);
  if (!known) fail(argument.range, "an integer is needed here that is known before any cell is looked at");
  return known;
}

/// 4, 16 or (4, 16).
std::optional<std::vector<Index>> TensorWriter::integers(const std::vector<Argument>& arguments) {
  std::vector<Index> all;
  for (const Argument& argument : arguments) {
    if (argument.value.kind == Value::Kind::tuple || argument.value.kind == Value::Kind::tensor) {
      const TensorPtr list = as_tensor(argument);
      if (!list) return std::nullopt;
      for (Index i = 0; i < list->size(); ++i) {
        const auto known = number({item(*list, i, argument.range), "", argument.range});
        if (!known) return std::nullopt;
        all.push_back(*known);
      }
      continue;
    }
    const auto known = number(argument);
    if (!known) return std::nullopt;
    all.push_back(*known);
  }
  return all;
}

std::optional<Tensor> TensorWriter::filled(std::vector<Index> shape, Index number, bool is_bool, Range range) {
  const auto count = counted(shape, range);
  if (!count) return std::nullopt;
  Tensor made{.shape = std::move(shape), .is_bool = is_bool};
  made.numbers.assign(static_cast<std::size_t>(*count), number);
  return made;
}

Value TensorWriter::each(const std::string& name, const std::vector<Argument>& operands, const OfValues& of_values,
                         Range range) {
  std::vector<TensorPtr> tensors;
  std::vector<Index> shape;
  bool all_known = true, all_bool = true;
  for (const Argument& operand : operands) {
    tensors.push_back(as_tensor(operand));
    if (!tensors.back()) return {};
    const auto common = broadcast(shape, tensors.back()->shape);
    if (!common)
      return fail(range, "arrays of shapes " + shape_text(shape) + " and " + shape_text(tensors.back()->shape) +
                             " do not fit together");
    shape = *common;
    all_known = all_known && tensors.back()->is_known();
    all_bool = all_bool && (tensors.back()->is_bool || (name == "where" && tensors.size() == 1));
  }
  const auto count = counted(shape, range);
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
      if (!result) return fail(range, "an element of this array has no value in 64 bits");
      made.numbers.push_back(*result);
    }
    return of_tensor(std::move(made), range);
  }
  if (*count > most_values)
    return fail(range, "this is asked of " + to_text(*count) + " elements that are no known integers; at most " +
                           to_text(most_values) + " can be");
  for (std::size_t i = 0; i < static_cast<std::size_t>(*count); ++i) {
    std::vector<Argument> cell = operands;
    for (std::size_t k = 0; k < tensors.size(); ++k) cell[k].value = item(*tensors[k], places[k][i], operands[k].range);
    made.values.push_back(of_values(cell));
    if (failed()) return {};
  }
  simplify(made);
  return of_tensor(std::move(made), range);
}

}  // namespace vqscope::language
