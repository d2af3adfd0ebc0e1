// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of functions of whole arrays, and the functions that create arrays.
#include "core/mask/language/compile/tensor/tensor_operations.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/compile/value.h"
#include "core/mask/language/names/function_row.h"
#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>

namespace vqscope::language {

Value arange(Compilation& c, const TensorCall& call) {
  const Argument* start = call.at(0, "start");
  const Argument* stop = call.at(1, "end", "stop");
  if (!stop) std::swap(start, stop);  // arange(end, step=2)
  if (!stop) return c.fail(call.range, "arange takes one to three integers");
  const Argument* given_step = call.at(2, "step");
  const auto known_or = [&](const Argument* one, Index otherwise) {
    return one ? known_number(c, *one).value_or(otherwise) : otherwise;
  };
  const Index first = known_or(start, 0), end = known_or(stop, 0), step = known_or(given_step, 1);
  if (c.failed()) return {};
  if (step == 0) return c.fail(call.range, "the step of arange must not be 0");
  const auto span = step > 0 ? subtract(end, first) : subtract(first, end);
  const Index by = step > 0 ? step : step == lowest ? highest : -step;
  const Index size = !span ? highest : *span <= 0 ? 0 : (*span - 1) / by + 1;
  Tensor made{.shape = {size}};
  if (!counted(c, made.shape, call.range)) return {};
  for (Index i = 0; i < size; ++i) made.numbers.push_back(first + i * step);
  return of_tensor(c, std::move(made), call.range);
}

Value eye(Compilation& c, const TensorCall& call) {
  const Argument* height = call.at(0, "n", "N");
  if (!height) return c.fail(call.range, "eye takes the number of rows");
  const Argument* width = call.at(1, "m", "M");
  const Argument* moved = call.at(2, "k");  // NumPy only
  const auto rows = known_number(c, *height);
  const auto columns = width ? known_number(c, *width) : rows;
  const auto diagonal = moved ? known_number(c, *moved) : std::optional<Index>(0);
  if (c.failed()) return {};
  auto made = filled(c, {*rows, *columns}, 0, call.is_bool(), call.range);
  if (!made) return {};
  for (Index i = 0; i < *rows; ++i)
    if (const auto at = add(i, *diagonal); at && *at >= 0 && *at < *columns)
      made->numbers[static_cast<std::size_t>(i * *columns + *at)] = 1;
  return of_tensor(c, std::move(*made), call.range);
}

/// tril keeps the elements on and below a diagonal, triu those on and above.
Value triangle(Compilation& c, const TensorCall& call) {
  const TensorPtr from = object_of(c, call);
  if (!from) return {};
  if (from->sides() < 2) return c.fail(call.range, call.name + " takes an array of two dimensions");
  const Argument* moved = call.at(1, "diagonal", "k");
  const auto diagonal = moved ? known_number(c, *moved) : std::optional<Index>(0);
  if (!diagonal) return {};
  Tensor made{.shape = from->shape, .is_bool = from->is_bool, .numbers = from->numbers, .values = from->values};
  const Index columns = from->shape.back(), rows = from->shape[from->shape.size() - 2];
  const Value none = c.of_node(c.build.constant(0, made.is_bool, call.range));
  for (Index i = 0; i < made.size(); ++i) {
    const Index edge = add(i / columns % rows, *diagonal).value_or(highest), column = i % columns;
    if (call.name == "tril" ? column <= edge : column >= edge) continue;
    if (made.is_known())
      made.numbers[static_cast<std::size_t>(i)] = 0;
    else
      made.values[static_cast<std::size_t>(i)] = none;
  }
  return of_tensor(c, std::move(made), call.range);
}

namespace {

/// Whether a function reads an argument of this name, or can ignore it.
bool is_heeded(const Compilation& c, const Argument& argument, std::string_view keywords) {
  constexpr std::string_view always = "input dtype layout pin_memory stable sorted";
  const std::string& keyword = argument.keyword;
  const auto has = [&](std::string_view words) {
    const auto all = vqscope::split(words, ' ');
    return std::ranges::find(all, keyword) != all.end();
  };
  if (keyword.empty() || argument.value.kind == Value::Kind::nothing || has(always) || has(keywords)) return true;
  const NodeId id = argument.value.node;  // return_inverse=False
  return argument.value.kind == Value::Kind::node && c.node(id).op == Op::constant && c.node(id).is_bool &&
         c.node(id).value == 0;
}

}  // namespace

std::optional<Value> apply_to_tensors(Compilation& c, const std::string& name, std::vector<Argument> arguments,
                                      Range range) {
  const FunctionRow* row = function_row(name);
  if (!row || !row->of_arrays) return std::nullopt;
  for (const Argument& argument : arguments)
    if (!is_heeded(c, argument, row->keywords))
      return c.fail(argument.range, "{} with {} is not part of the mask language", name, shortened(argument.keyword));
  const TensorCall call{name, std::move(arguments), range};
  const Value made = row->of_arrays(c, call);
  if (c.failed()) return Value{};
  // An argument that is not read would have no effect.
  if (const Argument* unread = call.unread()) return c.fail(unread->range, "{} takes fewer arguments than these", name);
  return made;
}

}  // namespace vqscope::language
