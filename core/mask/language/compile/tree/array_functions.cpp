// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of torch and NumPy that take or create arrays.
#include "core/mask/language/compile/tree/tree.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_functions.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/names/known_names.h"
#include "core/mask/language/parse/operators.h"

#include <algorithm>

namespace vqscope::language {
namespace {

/// The operation of number_kernel() of a function that works element by element.
std::optional<std::string> kernel_of(const std::string& name) {
  if (const Operator* row = operator_of_function(name)) return std::string(row->symbol);
  static const std::map<std::string, std::string> all{{"minimum", "minimum"},
                                                      {"maximum", "maximum"},
                                                      {"logical_and", "logical_and"},
                                                      {"logical_or", "logical_or"},
                                                      {"logical_not", "logical_not"},
                                                      {"logical_xor", "logical_xor"},
                                                      {"bitwise_not", "~"},
                                                      {"neg", "neg"},
                                                      {"abs", "abs"},
                                                      {"bool", "bool"},
                                                      {"int", "int"},
                                                      {"float", "int"},
                                                      {"floor", "int"},
                                                      {"ceil", "int"},
                                                      {"trunc", "int"},
                                                      {"round", "int"},
                                                      {"div", "/"},
                                                      {"where", "where"},
                                                      {"half", "int"},
                                                      {"double", "int"}};
  const auto found = all.find(name);
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Value> element_wise(Compilation& c, const std::string& given_name, const std::string& name,
                                  const Expression& e, const std::vector<Argument>& arguments) {
  const auto again = [&](const std::vector<Argument>& cell) { return apply_known(c, given_name, e, cell); };
  if (name == "clamp") {
    // One bound after the other: each may be an array.
    const auto ends = clamp_ends(c, arguments, e.range);
    if (!ends) return Value{};
    Argument value = *ends->value;
    for (const bool is_low : {true, false}) {
      const Argument* end = is_low ? ends->low : ends->high;
      if (!end || c.failed()) continue;
      const std::string bound = is_low ? "maximum" : "minimum";
      value.value = each_element(
          c, bound, {{value.value, "", value.range}, {end->value, "", end->range}},
          [&](const auto& cell) { return apply_known(c, bound, e, cell); }, e.range);
    }
    return c.failed() ? Value{} : value.value;
  }
  const bool is_extreme = name == "max" || name == "min";
  if (is_extreme && arguments.size() == 2 && arguments[1].keyword.empty() && is_tensor(c, arguments[1].value))
    return element_wise(c, name + "imum", name + "imum", e, arguments);
  const auto kernel = kernel_of(name);
  if (!kernel) return std::nullopt;
  std::vector<Argument> operands;
  const Argument* mode = by_keyword(arguments, "rounding_mode");
  for (const Argument& argument : arguments)
    if (argument.keyword.empty()) operands.push_back(argument);
  const std::size_t most = name == "where" ? 3 : operator_of_function(name) || name == "div" ? 2 : operands.size();
  if ((name == "where" && operands.size() == 1) || operands.size() > most || operands.empty()) return std::nullopt;
  const bool takes_one = *kernel == "int" || *kernel == "bool" || *kernel == "neg" || *kernel == "abs" ||
                         *kernel == "~" || *kernel == "logical_not";
  if (takes_one != (operands.size() == 1)) return std::nullopt;
  if (mode && mode->value.name == "floor") return each_element(c, "//", operands, again, e.range);
  if (mode)
    return each_element(
        c, "", operands,
        [&](std::vector<Argument> cell) {
          cell.push_back(*mode);
          return apply_known(c, given_name, e, cell);
        },
        e.range);
  return each_element(c, *kernel, operands, again, e.range);
}

/// bucketize(x, boundaries) and searchsorted(boundaries, x) of an array x.
Value placed(Compilation& c, const std::string& name, const Expression& e, const std::vector<Argument>& arguments) {
  const std::size_t values_at = name == "bucketize" ? 0 : 1;
  if (arguments.size() < 2) return takes(c, name, 2, arguments.size(), e.range);
  if (!is_tensor(c, arguments[values_at].value)) return of_array(c, name, e, arguments);
  const TensorPtr bounds = as_tensor(c, arguments[1 - values_at]);
  const TensorPtr values = as_tensor(c, arguments[values_at]);
  if (!bounds || !values) return {};
  if (!bounds->is_known() || bounds->sides() != 1 || !values->is_known())
    return each_element(
        c, name, {arguments[values_at]},
        [&](const auto& cell) {
          auto again = arguments;
          again[values_at].value = cell[0].value;
          return of_array(c, name, e, again);
        },
        e.range);
  const bool up_to = counts_up_to(c, arguments);
  Tensor made{.shape = values->shape};
  const auto& all = bounds->numbers;
  if (!std::ranges::is_sorted(all)) return c.fail(e.range, name + " takes boundaries that do not decrease");
  for (const Index value : values->numbers)
    made.numbers.push_back(
        (up_to ? std::upper_bound(all.begin(), all.end(), value) : std::lower_bound(all.begin(), all.end(), value)) -
        all.begin());
  return of_tensor(c, std::move(made), e.range);
}

/// torch.tensor(list); ones, zeros, full and empty of a shape; ..._like an array.
std::optional<Value> filled_array(Compilation& c, const std::string& given_name, const std::string& name,
                                  const Expression& e, const std::vector<Argument>& arguments) {
  const Argument* type = by_keyword(arguments, "dtype");
  const bool is_bool = type && type->value.name == "bool";
  if (name == "tensor" && !arguments.empty()) {
    const Argument& of = arguments.front();
    if (of.value.kind != Value::Kind::tuple && !is_tensor(c, of.value)) return std::nullopt;
    const bool holds_functions =
        of.value.kind == Value::Kind::tuple && std::ranges::any_of(*of.value.items, [](const Value& v) {
          return v.kind == Value::Kind::callable || v.kind == Value::Kind::text;
        });
    if (holds_functions || (of.value.kind == Value::Kind::free_name && !is_given(c, of.value))) return of.value;
    TensorPtr made = as_tensor(c, of);
    if (!made) return Value{};
    const Value value{.kind = Value::Kind::tensor, .tensor = made};
    if (is_bool)
      return each_element(
          c, "bool", {{value, "", of.range}}, [&](const auto& cell) { return apply_known(c, "bool", e, cell); },
          e.range);
    return value;
  }
  if (name != "ones" && name != "zeros" && name != "full" && name != "empty") return std::nullopt;
  const bool is_like = given_name.ends_with("_like");
  const Argument* size = by_keyword(arguments, "size");
  const Argument* shape_given = size ? size : by_keyword(arguments, "shape");
  std::vector<Argument> sizes;
  for (const Argument& argument : arguments)
    if (argument.keyword.empty()) sizes.push_back(argument);
  const bool is_full = name == "full";
  const Argument* value = by_keyword(arguments, "fill_value");
  std::optional<Argument> fill;
  if (value) fill = *value;
  if (is_full && !value && sizes.size() > 1) {
    fill = sizes[1];
    sizes.resize(1);
  }
  std::optional<std::vector<Index>> shape;
  bool like_bool = false;
  if (is_like) {
    const Argument* like = sizes.empty() ? nullptr : sizes.data();
    if (!like || !is_tensor(c, like->value)) return std::nullopt;  // of a number: a number
    const TensorPtr other = as_tensor(c, *like);
    if (!other) return Value{};
    shape = other->shape;
    like_bool = other->is_bool && !type;
  } else {
    if (shape_given) sizes = {*shape_given};
    const bool of_none = sizes.empty() || (sizes.size() == 1 && sizes[0].value.kind == Value::Kind::tuple &&
                                           sizes[0].value.items->empty());
    if (of_none) return std::nullopt;
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

Value sizes_of(Compilation& c, const std::string& name, const Argument& array, const std::vector<Argument>& arguments,
               Range range) {
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
  const auto asked = known_number(c, arguments[1]);
  const auto side = asked ? side_of(*asked, tensor->sides()) : std::nullopt;
  if (!side) return c.fail(range, "an array of shape {} has no such dimension", shape_text(tensor->shape));
  return c.number_value(tensor->shape[*side], range);
}

}  // namespace

std::optional<Value> apply_to_arrays(Compilation& c, const std::string& given_name, const std::string& name,
                                     const Expression& e, const std::vector<Argument>& arguments) {
  if (auto filled = filled_array(c, given_name, name, e, arguments)) return filled;
  if (c.failed()) return Value{};
  const bool makes = name == "arange" || name == "eye" || name == "tril" || name == "triu" || name == "cat" ||
                     name == "stack" || name == "meshgrid";
  static const std::set<std::string> of_lists{"cumsum",  "cumprod", "repeat_interleave", "diff", "sort",
                                              "argsort", "unique",  "bincount",          "roll", "flip",
                                              "nonzero"};
  const bool is_of_list =
      of_lists.contains(name) && !arguments.empty() && arguments.front().value.kind == Value::Kind::tuple;
  if (!makes && !is_of_list && !any_tensor(c, arguments)) return std::nullopt;
  if (name == "tuple" && arguments.size() == 1) return tuple_of(c, items_in(c, arguments[0]));
  if (name == "len" || name == "numel" || name == "size" || name == "dim")
    return sizes_of(c, name, arguments[0], arguments, e.range);
  if (name == "bucketize" || name == "searchsorted") return placed(c, name, e, arguments);
  // A running sum of an array of the sequence, or of one that is not given yet, stays in the
  // program.
  const Value& first = arguments.empty() ? Value() : arguments.front().value;
  if (name == "cumsum" &&
      (first.kind == Value::Kind::array || (first.kind == Value::Kind::free_name && !is_given(c, first))))
    return std::nullopt;
  if (name == "where" && arguments.size() == 1)  // the indices where it holds, by dimension
    return apply_to_tensors(c, "nonzero", {arguments.front(), {c.flag(true, e.range), "as_tuple", e.range}}, e.range);
  if (auto made = element_wise(c, given_name, name, e, arguments)) return made;
  if (c.failed()) return Value{};
  if (name == "isin" && arguments.size() == 2 && is_tensor(c, arguments[0].value))
    return each_element(
        c, "isin", {arguments[0]},
        [&](const auto& cell) {
          return apply_known(c, given_name, e, {cell[0], arguments[1]});
        },
        e.range);
  if (name == "isin" || name == "zip" || name == "enumerate" || name == "reversed" || name == "range" ||
      name == "and_masks" || name == "or_masks" || name == "partial" || name == "reduce" || name == "compile" ||
      name == "callable")
    return std::nullopt;
  auto made = apply_to_tensors(c, name, arguments, e.range);
  if (!made && !c.failed()) return c.fail(e.range, given_name + " of an array is not part of the mask language");
  return made;
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
  if (name == "ndim") return sizes_of(c, "dim", owner, {owner}, range);
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

Value changed_list(Compilation& c, const std::string& name, const std::vector<Argument>& arguments, Range range) {
  const auto& items = arguments.front().value.items;
  if (c.choices > 0) return c.fail(range, "a list cannot be changed under an if that differs by cell");
  if (arguments.size() != (name == "insert" ? 3U : 2U))
    return takes(c, name, name == "insert" ? 2 : 1, arguments.size() - 1, range);
  if (name == "append") {
    items->push_back(arguments[1].value);
  } else if (name == "extend") {
    const auto more = items_in(c, arguments[1]);
    items->insert(items->end(), more.begin(), more.end());
  } else {
    const auto place = known_number(c, arguments[1]);
    if (!place) return {};
    const auto size = static_cast<Index>(items->size());
    items->insert(items->begin() + std::clamp<Index>(*place < 0 ? *place + size : *place, 0, size), arguments[2].value);
  }
  (void)c.spend(static_cast<Index>(items->size()) / 16 + 1, range);
  return c.failed() ? Value{} : arguments.front().value;
}

}  // namespace vqscope::language
