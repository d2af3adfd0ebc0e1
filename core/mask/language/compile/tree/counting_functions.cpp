// SPDX-License-Identifier: GPL-3.0-or-later
// cumsum, bucketize and searchsorted, also of arrays whose values are not known yet.
#include "core/mask/language/compile/tensor/tensor_operations.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/compile/tree/function_call.h"

#include <algorithm>

namespace vqscope::language {
namespace {

/// Whether bucketize or searchsorted places a value equal to a boundary after it: right=True,
/// side="right".
bool counts_up_to(Compilation& c, const std::vector<Argument>& arguments) {
  if (const Argument* side = by_keyword(arguments, "side")) return side->value.name == "right";
  if (arguments.size() > 2 && arguments[2].keyword.empty() && arguments[2].value.kind == Value::Kind::text)
    return arguments[2].value.name == "right";  // np.searchsorted(boundaries, x, "right")
  const Argument* right = by_keyword(arguments, "right");
  return right && decided(c, right->value).value_or(false);
}

/// Of an array whose values are not known yet, or of a number.
Value of_array(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  if (arguments.empty() || (name != "cumsum" && arguments.size() < 2))
    return takes(c, name, 2, arguments.size(), e.range);
  const std::size_t array_at = name == "bucketize" ? 1 : 0;
  const Value array = as_array(c, arguments[array_at]);
  if (c.failed()) return {};
  if (name == "cumsum")
    return {.kind = Value::Kind::array, .place = c.derived_array(ArraySource::running_sum, array.place, e.range)};
  const bool up_to = counts_up_to(c, arguments);
  const NodeId value = c.as_node(arguments[1 - array_at].value, arguments[1 - array_at].range);
  if (c.failed()) return {};
  const Index counts =
      c.derived_array(up_to ? ArraySource::count_up_to : ArraySource::count_below, array.place, e.range);
  const NodeId length = c.build.make({.op = Op::length, .value = counts, .range = e.range});
  const NodeId last = c.make(Op::subtract, false, e.range, length, c.build.constant(1, false, e.range)).node;
  if (c.failed()) return {};
  const Value above = c.make(Op::maximum, false, e.range, c.as_int(value), c.build.constant(0, false, e.range));
  if (c.failed()) return {};
  const Value within = c.make(Op::minimum, false, e.range, above.node, last);
  return c.failed() ? Value{} : c.element_of(counts, within.node, e.range);
}

}  // namespace

/// cumsum(x)
Value running_sum(Compilation& c, const FunctionCall& call) {
  const Value& first = call.arguments.empty() ? Value() : call.arguments.front().value;
  // For an array of the sequence, or one that is not given yet, it stays in the program.
  const bool stays = first.kind == Value::Kind::array || (first.kind == Value::Kind::free_name && !is_given(c, first));
  if (stays || (first.kind != Value::Kind::tuple && !any_tensor(c, call.arguments))) return of_array(c, call);
  return apply_to_tensors(c, call.name, call.arguments, call.e.range).value_or(Value{});
}

/// bucketize(x, boundaries, right=...), searchsorted(boundaries, x, right=..., side=...)
Value placed(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  const std::size_t values_at = name == "bucketize" ? 0 : 1;
  if (arguments.size() < 2) return takes(c, name, 2, arguments.size(), e.range);
  if (!is_tensor(c, arguments[values_at].value)) return of_array(c, call);
  const TensorPtr bounds = as_tensor(c, arguments[1 - values_at]);
  const TensorPtr values = as_tensor(c, arguments[values_at]);
  if (!bounds || !values) return {};
  if (!bounds->is_known() || bounds->sides() != 1 || !values->is_known())
    return each_element(
        c, name, {arguments[values_at]},
        [&](const auto& cell) {
          auto again = call.arguments;
          again[values_at].value = cell[0].value;
          return of_array(c, {call.row, call.written, call.name, call.e, again});
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

}  // namespace vqscope::language
