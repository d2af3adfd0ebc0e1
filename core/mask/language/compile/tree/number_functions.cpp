// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of numbers that are known while the text is compiled: gcd, roots and logarithms.
// cumsum, bucketize and searchsorted, also of arrays whose values are not known yet.
#include "core/mask/language/compile/tensor/tensor_operations.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/compile/tree/function_call.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace vqscope::language {
namespace {

/// A double as an exact fraction of 64-bit integers; empty: it is too small or too large.
std::optional<std::array<Index, 2>> exact_fraction(double value) {
  if (!std::isfinite(value)) return std::nullopt;
  int exponent = 0;
  auto digits = static_cast<Index>(std::ldexp(std::frexp(value, &exponent), 53));
  for (exponent -= 53; exponent < 0 && digits % 2 == 0 && digits != 0; ++exponent) digits /= 2;
  if (digits == 0) return std::array<Index, 2>{0, 1};
  if (exponent > 9 || exponent < -62) return std::nullopt;
  return exponent >= 0 ? std::array<Index, 2>{digits << exponent, 1}
                       : std::array<Index, 2>{digits, Index{1} << -exponent};
}

/// The arguments; empty after an error.
std::optional<std::vector<Index>> known_arguments(Compilation& c, const FunctionCall& call) {
  std::vector<Index> known;
  for (const Argument& argument : call.arguments) {
    const auto value = known_number(c, argument);
    if (!value) return std::nullopt;
    known.push_back(*value);
  }
  return known;
}

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

Value quotient_and_rest(Compilation& c, const FunctionCall& call) {
  const auto& arguments = call.arguments;
  if (arguments.size() != 2) return refused_values(c, call);
  const Value quotient = compile_operation(c, call.e, "//", arguments[0], arguments[1]);
  const Value rest = compile_operation(c, call.e, "%", arguments[0], arguments[1]);
  return tuple_of(c, {quotient, rest});
}

Value common_divisor(Compilation& c, const FunctionCall& call) {
  const auto known = known_arguments(c, call);
  if (!known) return {};
  Index common = 0;
  for (const Index value : *known) common = std::gcd(common, value);
  return c.number_value(common, call.e.range);
}

/// sqrt, isqrt, log2 and log
Value root_or_logarithm(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  const auto given = known_arguments(c, call);
  if (!given) return {};
  const std::vector<Index>& known = *given;
  const bool has_base = name == "log" && known.size() == 2;
  if (known.size() != 1 && !has_base) return takes(c, name, 1, known.size(), e.range);
  if (known[0] < (name.starts_with("log") ? 1 : 0)) return c.fail(e.range, name + " is not defined there");
  const auto x = static_cast<double>(known[0]);
  const double value = name.ends_with("sqrt") ? std::sqrt(x)
                       : name == "log2"       ? std::log2(x)
                       : has_base             ? std::log(x) / std::log(static_cast<double>(known[1]))
                                              : std::log(x);
  if (name == "isqrt") {
    auto root = static_cast<Index>(value);
    while (root > 0 && root > known[0] / root) --root;
    return c.number_value(root, e.range);
  }
  const auto exact = exact_fraction(value);
  if (!exact) return c.fail(e.range, name + " of this number does not fit here");
  if ((*exact)[1] == 1) return c.number_value((*exact)[0], e.range);
  return ratio_of(c, c.number_value((*exact)[0], e.range), c.number_value((*exact)[1], e.range).node);
}

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
