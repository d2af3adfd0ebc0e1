// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of torch and NumPy that take or create arrays.
// Functions that name the dimensions of arrays: rearrange of einops, and einsum without sums.
#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_call.h"
#include "core/mask/language/compile/tensor/tensor_operations.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/compile/tree/function_call.h"
#include "core/mask/language/parse/operators.h"

#include <algorithm>

namespace vqscope::language {
namespace {

/// The row's kernel on each element; empty: it does not fit these arguments.
std::optional<Value> element_wise(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  const auto again = [&](const std::vector<Argument>& cell) { return apply_known(c, call.written, call.e, cell); };
  const std::string kernel(row.kernel);
  std::vector<Argument> operands;
  const Argument* mode = by_keyword(arguments, "rounding_mode");
  for (const Argument& argument : arguments)
    if (argument.keyword.empty()) operands.push_back(argument);
  const std::size_t most = kernel == "where" ? 3 : operator_of(kernel) ? 2 : operands.size();
  if ((kernel == "where" && operands.size() == 1) || operands.size() > most || operands.empty()) return std::nullopt;
  const bool takes_one = kernel == "int" || kernel == "bool" || kernel == "neg" || kernel == "abs" || kernel == "~" ||
                         kernel == "logical_not";
  if (takes_one != (operands.size() == 1)) return std::nullopt;
  if (mode && mode->value.name == "floor") return each_element(c, "//", operands, again, e.range);
  if (mode)
    return each_element(
        c, "", operands,
        [&](std::vector<Argument> cell) {
          cell.push_back(*mode);
          return again(cell);
        },
        e.range);
  return each_element(c, kernel, operands, again, e.range);
}

/// torch.tensor(list).
std::optional<Value> listed_array(Compilation& c, const FunctionCall& call, bool is_bool) {
  if (call.arguments.empty()) return std::nullopt;
  const Argument& of = call.arguments.front();
  if (of.value.kind != Value::Kind::tuple && !is_tensor(c, of.value)) return std::nullopt;
  const bool holds_functions =
      of.value.kind == Value::Kind::tuple && std::ranges::any_of(*of.value.items, [](const Value& v) {
        return v.kind == Value::Kind::callable || v.kind == Value::Kind::text;
      });
  if (holds_functions || (of.value.kind == Value::Kind::free_name && !is_given(c, of.value))) return of.value;
  TensorPtr made = as_tensor(c, of);
  if (!made) return Value{};
  const Value value{.kind = Value::Kind::tensor, .tensor = made};
  if (!is_bool) return value;
  return each_element(
      c, "bool", {{value, "", of.range}}, [&](const auto& cell) { return apply_known(c, "bool", call.e, cell); },
      call.e.range);
}

/// The sizes that stand one by one, or as a keyword; empty: those of a number.
std::vector<Argument> given_sizes(const FunctionCall& call, std::vector<Argument> sizes) {
  const Argument* size = by_keyword(call.arguments, "size");
  const Argument* shape = size ? size : by_keyword(call.arguments, "shape");
  if (shape) sizes = {*shape};
  const bool of_none = sizes.size() == 1 && sizes[0].value.kind == Value::Kind::tuple && sizes[0].value.items->empty();
  return of_none ? std::vector<Argument>() : sizes;
}

/// torch.tensor(list); ones, zeros, full and empty of a shape; ..._like an array. Empty: of
/// numbers.
std::optional<Value> filled_array(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  const Argument* type = by_keyword(arguments, "dtype");
  const bool is_bool = type && type->value.name == "bool";
  if (name == "tensor") return listed_array(c, call, is_bool);
  std::vector<Argument> sizes;
  for (const Argument& argument : arguments)
    if (argument.keyword.empty()) sizes.push_back(argument);
  const Argument* value = by_keyword(arguments, "fill_value");
  std::optional<Argument> fill;
  if (value) fill = *value;
  if (name == "full" && !value && sizes.size() > 1) {
    fill = sizes[1];
    sizes.resize(1);
  }
  std::optional<std::vector<Index>> shape;
  bool like_bool = false;
  if (written.ends_with("_like")) {
    const Argument* like = sizes.empty() ? nullptr : sizes.data();
    if (!like || !is_tensor(c, like->value)) return std::nullopt;  // of a number: a number
    const TensorPtr other = as_tensor(c, *like);
    if (!other) return Value{};
    shape = other->shape;
    like_bool = other->is_bool && !type;
  } else {
    sizes = given_sizes(call, std::move(sizes));
    if (sizes.empty()) return std::nullopt;
    shape = known_integers(c, sizes);
  }
  if (!shape || c.failed()) return Value{};
  const bool made_bool = is_bool || like_bool;
  Index number_to_fill = name == "ones" ? 1 : 0;
  bool fill_is_bool = false;
  if (fill) {
    const NodeId id = c.as_node(fill->value, fill->range);
    const auto known = c.failed() ? std::nullopt : c.settled(id);
    if (!known) return c.failed() ? Value{} : c.fail(fill->range, "an array must be filled with a known number");
    number_to_fill = *known;
    fill_is_bool = c.node(id).is_bool && !type;
  }
  auto made =
      filled(c, *shape, made_bool && number_to_fill != 0 ? 1 : number_to_fill, made_bool || fill_is_bool, e.range);
  return made ? of_tensor(c, std::move(*made), e.range) : Value{};
}

/// The value that every element of torch.tensor(x), ones(()) or full((), x) has.
Value filled_number(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  const Argument* type = by_keyword(arguments, "dtype");
  const bool is_bool = type && type->value.kind != Value::Kind::nothing && type->value.name == "bool";
  if (name == "ones" || name == "zeros") {
    const bool one = name == "ones";
    return is_bool ? c.flag(one, e.range) : c.of_node(c.build.constant(one ? 1 : 0, false, e.range));
  }
  const std::size_t place = name == "full" ? 1 : 0;
  const Argument* value = by_keyword(arguments, "fill_value");
  if (!value && arguments.size() > place) value = &arguments[place];
  if (!value) return takes(c, written, place + 1, arguments.size(), e.range);
  if (!is_bool || value->value.kind == Value::Kind::tuple) return value->value;
  const NodeId id = c.as_node(value->value, value->range);
  return c.failed() ? Value{} : c.of_node(c.as_bool(id));
}

/// The length, the shape, the number of elements or of dimensions of an array.
Value sizes_of(Compilation& c, const std::string& name, const std::vector<Argument>& arguments, Range range) {
  const Argument& array = arguments.front();
  const bool is_list = array.value.kind == Value::Kind::free_name &&
                       (!is_given(c, array.value) || c.given.arrays.find(array.value.name)->second.shape.size() < 2);
  if (array.value.kind == Value::Kind::array || (is_list && name != "dim")) {
    const Value shape = shape_of(c, array.value, array.range);
    return c.failed() || (name == "size" && arguments.size() == 1) ? shape : c.of_node(shape.node);
  }
  const TensorPtr tensor = as_tensor(c, array);
  if (!tensor) return {};
  if (name == "numel") return c.number_value(tensor->size(), range);
  if (name == "dim") return c.number_value(tensor->sides(), range);
  if (name == "len")
    return tensor->shape.empty() ? c.fail(range, "a number has no length") : c.number_value(tensor->shape[0], range);
  if (arguments.size() == 1) return sizes_list(c, tensor->shape, range);
  const auto number = known_number(c, arguments[1]);
  const auto side = number ? side_of(*number, tensor->sides()) : std::nullopt;
  if (!side) return c.fail(range, "an array of shape {} has no such dimension", shape_text(tensor->shape));
  return c.number_value(tensor->shape[*side], range);
}

constexpr std::string_view arrow = "->";

bool is_new(const std::string& axis) { return axis == "1" || axis == "()"; }

/// "b 1 n" of einops, "bij" of einsum.
std::vector<std::string> axes_of(std::string_view text, bool of_letters) {
  std::vector<std::string> axes;
  if (of_letters) {
    for (const char letter : text)
      if (letter != ' ') axes.emplace_back(1, letter);
    return axes;
  }
  for (const auto part : vqscope::split(text, ' '))
    if (!part.empty()) axes.emplace_back(part);
  return axes;
}

/// Whether each name stands for one dimension.
bool are_plain(const std::vector<std::string>& axes) {
  return std::ranges::all_of(axes, [&](const std::string& axis) {
    const bool is_group = !is_new(axis) && axis.find_first_of("(.)") != std::string::npos;
    return !is_group && (is_new(axis) || std::ranges::count(axes, axis) == 1);
  });
}

/// The array with its dimensions in the order `to`; those that it does not have are of size 1.
Value arranged(Compilation& c, const Expression& e, const Argument& argument, const std::vector<std::string>& from,
               const std::vector<std::string>& to) {
  const TensorPtr given = array_at(c, argument);
  if (!given) return {};
  if (static_cast<Index>(from.size()) != given->sides())
    return c.fail(e.range, "the pattern does not fit an array of shape {}", shape_text(given->shape));
  std::vector<Argument> order{argument};
  std::vector<Index> shape;
  const auto add = [&](std::size_t side) {
    order.push_back({c.number_value(static_cast<Index>(side), e.range), "", e.range});
  };
  for (const std::string& axis : to) {
    const auto side = static_cast<std::size_t>(std::ranges::find(from, axis) - from.begin());
    const bool has = !is_new(axis) && side < from.size();
    shape.push_back(has ? given->shape[side] : 1);
    if (has) add(side);
  }
  for (std::size_t side = 0; side < from.size(); ++side) {
    if (!is_new(from[side])) continue;
    if (given->shape[side] != 1) return c.fail(e.range, "a dimension named {} must be of size 1", from[side]);
    add(side);
  }
  const Value turned = from.size() > 1 ? apply_known(c, "permute", e, order) : argument.value;
  const TensorPtr tensor = c.failed() ? nullptr : as_tensor(c, {turned, "", e.range});
  if (!tensor) return {};
  Tensor made = *tensor;
  made.memory = Tensor().memory;
  made.shape = std::move(shape);
  return of_tensor(c, std::move(made), e.range);
}

bool has_all(const std::vector<std::string>& axes, const std::vector<std::string>& of) {
  return std::ranges::all_of(axes, [&](const auto& axis) { return is_new(axis) || std::ranges::count(of, axis) == 1; });
}

}  // namespace

Value apply_to_arrays(Compilation& c, const FunctionCall& call) {
  if (!call.row.kernel.empty())
    if (auto made = element_wise(c, call); made || c.failed()) return made.value_or(Value{});
  const auto made = apply_to_tensors(c, call.name, call.arguments, call.e.range);
  if (!made && !c.failed()) return c.fail(call.e.range, call.written + " of an array is not part of the mask language");
  return made.value_or(Value{});
}

/// tensor, ones, zeros, full and empty
Value made_array(Compilation& c, const FunctionCall& call) {
  if (auto filled = filled_array(c, call); filled || c.failed()) return filled.value_or(Value{});
  return call.name == "empty" || any_tensor(c, call.arguments) ? refused_values(c, call) : filled_number(c, call);
}

/// len, size, numel and dim
Value size_of(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  if (any_tensor(c, arguments)) return sizes_of(c, name, arguments, e.range);
  if (name == "dim") return arguments.size() == 1 ? c.number_value(0, e.range) : refused_values(c, call);
  if (arguments.empty()) return takes(c, name, 1, 0, e.range);
  const Value shape = shape_of(c, arguments[0].value, arguments[0].range);
  if (c.failed() || (name == "size" && arguments.size() == 1)) return shape;
  return shape.kind == Value::Kind::shape ? c.of_node(shape.node) : shape.items->front();
}

/// where(x): the indices where it holds, by dimension.
Value held_at(Compilation& c, const TensorCall& call) {
  const Argument* held = call.at(0, "condition");
  if (!held) return c.fail(call.range, "where takes a condition");
  return apply_to_tensors(c, "nonzero", {*held, {c.flag(true, call.range), "as_tuple", call.range}}, call.range)
      .value_or(Value{});
}

Value item_of_array(Compilation& c, const TensorCall& call) {
  const auto known = known_number(c, *call.at(0));
  return known ? c.number_value(*known, call.range) : Value{};
}

Value copied(Compilation& c, const TensorCall& call) {
  const TensorPtr tensor = as_tensor(c, *call.at(0));
  Tensor copy = tensor ? *tensor : Tensor();
  copy.memory = Tensor().memory;
  return of_tensor(c, std::move(copy), call.range);
}

Value array_attribute(Compilation& c, const std::string& name, const Argument& owner, Range range) {
  if (owner.value.kind == Value::Kind::tuple && (name == "values" || name == "indices")) {
    const std::size_t place = name == "values" ? 0 : 1;
    return place < owner.value.items->size() ? (*owner.value.items)[place] : c.fail(range, "there are none here");
  }
  if (name == "shape") return shape_of(c, owner.value, owner.range);
  if (!is_tensor(c, owner.value)) {
    if (name == "ndim") return c.of_node(c.build.constant(0, false, range));
    return {.kind = Value::Kind::nothing};
  }
  if (name == "ndim") return sizes_of(c, "dim", {owner}, range);
  if (name == "dtype") {
    const bool known = owner.value.kind == Value::Kind::tensor || is_given(c, owner.value);
    const TensorPtr tensor = known ? as_tensor(c, owner) : nullptr;
    return c.failed() || !tensor ? Value{.kind = Value::Kind::nothing}
                                 : Value{.kind = Value::Kind::text, .name = tensor->is_bool ? "bool" : "int64"};
  }
  if (name != "T" && name != "mT") return c.fail(range, name + " of an array is not part of the mask language");
  std::vector<Argument> sides{owner};
  for (const Index side : {-2, -1})
    if (name == "mT") sides.push_back({c.number_value(side, range), "", range});
  const auto turned = apply_to_tensors(c, name == "mT" ? "transpose" : "t", std::move(sides), range);
  return turned ? *turned : c.fail(range, name + " of an array is not part of the mask language");
}

/// rearrange(x, "b j -> b 1 1 j"), and einsum("bi,bj->bij", x, y) without a sum.
Value apply_by_axes(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  const bool sums = name == "einsum";
  const std::size_t place = sums ? 0 : 1;
  if (arguments.size() < 2 || (!sums && arguments.size() > 2)) return takes(c, name, 2, arguments.size(), e.range);
  if (arguments[place].value.kind != Value::Kind::text || arguments[place].value.is_flag)
    return c.fail(arguments[place].range, "{} takes a pattern as a text", name);
  const std::string& pattern = arguments[place].value.name;
  const auto middle = pattern.find(arrow);
  if (middle == std::string::npos) return c.fail(e.range, "the pattern of {} has no ->", name);
  const std::string_view left = std::string_view(pattern).substr(0, middle);
  const auto to = axes_of(std::string_view(pattern).substr(middle + arrow.size()), sums);
  const auto parts = sums ? vqscope::split(left, ',') : std::vector<std::string_view>{left};
  if (sums && parts.size() != arguments.size() - 1) return takes(c, name, parts.size() + 1, arguments.size(), e.range);
  Value product;
  for (std::size_t i = 0; i < parts.size() && !c.failed(); ++i) {
    const auto from = axes_of(parts[i], sums);
    if (!are_plain(from) || !are_plain(to) || !has_all(from, to) || (!sums && !has_all(to, from)))
      return c.fail(e.range, "{} here orders dimensions and adds ones of size 1: {} is not part of the mask language",
                    name, shortened(pattern));
    const Argument& array = arguments[sums ? i + 1 : 0];
    const Value one = arranged(c, e, array, from, to);
    product = i == 0 || c.failed() ? one : compile_operation(c, e, "*", {product, "", e.range}, {one, "", array.range});
  }
  return c.failed() ? Value{} : product;
}

}  // namespace vqscope::language
