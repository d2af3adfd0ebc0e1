// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that have the same name in NumPy and torch but differ.
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/compile/tree/function_call.h"
#include "core/mask/language/parse/arithmetic.h"

namespace vqscope::language {
namespace {

/// The integers of a list as the argument of a function.
Argument list_argument(Compilation& c, const std::vector<Index>& numbers, Range range) {
  return {sizes_list(c, numbers, range), "", range};
}

/// np.pad(x, n), (before, after) or one such pair for each side, the first side first: F.pad begins
/// with the last.
std::vector<Argument> as_torch_pad(Compilation& c, const std::vector<Argument>& arguments, Range range) {
  const TensorPtr array = arguments.size() > 1 ? as_tensor(c, arguments[0]) : nullptr;
  const auto widths = array ? known_integers(c, {arguments[1]}) : std::nullopt;
  if (!widths) return {};
  const auto sides = static_cast<std::size_t>(array->sides());
  const bool fits = widths->size() == 1 || widths->size() == 2 || widths->size() == 2 * sides;
  if (!fits) return c.fail(range, "np.pad takes two integers for each dimension of the array"), std::vector<Argument>();
  std::vector<Index> turned;
  for (std::size_t side = sides; side-- > 0;)
    for (const std::size_t end : {std::size_t{0}, std::size_t{1}})
      turned.push_back((*widths)[widths->size() == 1 ? 0 : widths->size() == 2 ? end : 2 * side + end]);
  std::vector<Argument> all{arguments[0], list_argument(c, turned, range)};
  for (std::size_t i = 2; i < arguments.size(); ++i) {
    all.push_back(arguments[i]);
    if (all.back().keyword == "constant_values") all.back().keyword = "value";
  }
  return all;
}

/// np.split(x, n) returns n equal parts, np.split(x, [a, b]) the parts from 0, a and b; torch takes
/// sizes.
std::vector<Argument> as_torch_split(Compilation& c, const std::vector<Argument>& arguments, Range range) {
  const TensorPtr array = arguments.size() > 1 ? as_tensor(c, arguments[0]) : nullptr;
  const auto given = array ? known_integers(c, {arguments[1]}) : std::nullopt;
  const Argument* along = by_keyword(arguments, "axis");
  if (!along && arguments.size() > 2) along = &arguments[2];
  const auto axis = along ? known_number(c, *along) : std::optional<Index>(0);
  if (!given || !axis) return {};
  const auto side = side_of(*axis, array->sides());
  const Index size = side ? array->shape[*side] : 0;
  const bool is_list = arguments[1].value.kind != Value::Kind::node;
  const Index parts = is_list ? 0 : given->front();
  if (!side || (!is_list && (parts < 1 || size % parts != 0)))
    return c.fail(range, "np.split splits a dimension of the array into parts of equal size"), std::vector<Argument>();
  std::vector<Index> sizes(static_cast<std::size_t>(is_list ? 0 : std::min(parts, size)), is_list ? 0 : size / parts);
  Index begin = 0;
  for (std::size_t i = 0; is_list && i <= given->size(); ++i) {
    const Index end = i < given->size() ? (*given)[i] : size;
    sizes.push_back(subtract(end, begin).value_or(-1));
    begin = end;
  }
  const Argument dim{c.number_value(*axis, range), "", range};
  return {arguments[0], list_argument(c, sizes, range), dim};
}

/// The function with an argument more.
Value with_argument(Compilation& c, const FunctionCall& call, Value value, const char* keyword) {
  std::vector<Argument> arguments = call.arguments;
  arguments.push_back({std::move(value), keyword, call.e.range});
  return apply_known(c, call.written, call.e, arguments);
}

}  // namespace

Value apply_numpy(Compilation& c, const std::string& written, const Expression& e,
                  const std::vector<Argument>& arguments) {
  const FunctionRow* row = function_row(written);
  if (!row || !row->of_numpy) return apply_known(c, written, e, arguments);
  return row->of_numpy(c, {*row, written, std::string(row->name()), e, arguments});
}

Value repeat_in_numpy(Compilation& c, const FunctionCall& call) {
  return apply_known(c, "repeat_interleave", call.e, call.arguments);
}

Value extreme_in_numpy(Compilation& c, const FunctionCall& call) {
  return apply_known(c, "a" + call.name, call.e, call.arguments);
}

Value meshgrid_in_numpy(Compilation& c, const FunctionCall& call) {
  if (by_keyword(call.arguments, "indexing")) return apply_known(c, call.written, call.e, call.arguments);
  return with_argument(c, call, {.kind = Value::Kind::text, .name = "xy"}, "indexing");
}

Value nonzero_in_numpy(Compilation& c, const FunctionCall& call) {
  return with_argument(c, call, c.flag(true, call.e.range), "as_tuple");
}

Value pad_in_numpy(Compilation& c, const FunctionCall& call) {
  const auto arguments = as_torch_pad(c, call.arguments, call.e.range);
  return c.failed() ? Value{} : apply_known(c, call.written, call.e, arguments);
}

Value split_in_numpy(Compilation& c, const FunctionCall& call) {
  if (!any_tensor(c, call.arguments)) return apply_known(c, call.written, call.e, call.arguments);
  const auto arguments = as_torch_split(c, call.arguments, call.e.range);
  return c.failed() ? Value{} : apply_known(c, call.written, call.e, arguments);
}

Value transpose_in_numpy(Compilation& c, const FunctionCall& call) {
  return apply_known(c, call.arguments.size() == 2 ? "permute" : call.written, call.e, call.arguments);
}

Value sort_in_numpy(Compilation& c, const FunctionCall& call) {
  const Value made = apply_known(c, call.written, call.e, call.arguments);
  // torch.sort also returns indices.
  const bool is_pair = !c.failed() && made.kind == Value::Kind::tuple && made.items->size() == 2;
  return is_pair ? made.items->front() : made;
}

}  // namespace vqscope::language
