// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of the functions of torch, NumPy and Python with which masks are written; those of numbers.
#include "core/mask/language/compile/tensor/tensor_operations.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/compile/tree/function_call.h"
#include "core/mask/language/parse/operators.h"

#include <algorithm>

namespace vqscope::language {
namespace {

bool is_ratio(const Argument& argument) { return argument.value.kind == Value::Kind::ratio; }

/// Whether no argument has a name that such a function does not know; an error otherwise.
bool are_by_position(Compilation& c, const FunctionCall& call) {
  for (const Argument& argument : call.arguments)
    if (!argument.keyword.empty() && argument.keyword != "dtype" && argument.keyword != "dim")
      return c.fail(argument.range, "{} has no argument {}; give its values by position", call.written,
                    shortened(argument.keyword)),
             false;
  return true;
}

/// The arguments as integers or truth values; empty after an error, such as another number of them
/// than `wanted`.
std::optional<std::vector<NodeId>> nodes_of(Compilation& c, const FunctionCall& call,
                                            std::optional<std::size_t> wanted = {}) {
  if (!are_by_position(c, call)) return std::nullopt;
  std::vector<NodeId> nodes;
  for (const Argument& argument : call.arguments)
    if (argument.keyword.empty()) nodes.push_back(c.as_node(argument.value, argument.range));
  if (!c.failed() && wanted && nodes.size() != *wanted) (void)takes(c, call.name, *wanted, nodes.size(), call.e.range);
  return c.failed() ? std::nullopt : std::optional(std::move(nodes));
}

/// One of two numbers, at least one of which is a fraction.
Value extreme_fraction(Compilation& c, const FunctionCall& call) {
  const auto& arguments = call.arguments;
  const char* symbol = call.name.starts_with("min") ? "<=" : ">=";
  const Value first = compare_fractions(c, symbol, arguments[0].value, arguments[1].value, call.e.range);
  if (c.failed()) return {};
  if (const auto known = c.settled(first.node)) return arguments[*known ? 0 : 1].value;
  return either(c, first.node, arguments[0], arguments[1], call.e.range, Op::where);
}

/// The smallest or the largest of two numbers or more.
Value extreme(Compilation& c, const FunctionCall& call, std::optional<std::size_t> wanted) {
  if (!are_by_position(c, call)) return {};
  if (call.arguments.size() == 2 && std::ranges::any_of(call.arguments, is_ratio)) return extreme_fraction(c, call);
  const auto nodes = nodes_of(c, call, wanted);
  if (!nodes) return {};
  if (nodes->size() < 2) return c.fail(call.e.range, "{} takes two values or more, found {}", call.name, nodes->size());
  const Op op = call.name.starts_with("min") ? Op::minimum : Op::maximum;
  NodeId result = c.as_int(nodes->front());
  for (std::size_t i = 1; i < nodes->size() && !c.failed(); ++i)
    result = c.make(op, false, call.e.range, result, c.as_int((*nodes)[i])).node;
  return c.failed() ? Value{} : c.of_node(result);
}

/// min(max(x, low), high), either end may be missing.
Value clamped_number(Compilation& c, const ClampEnds& ends, Range range) {
  NodeId value = c.as_int(c.as_node(ends.value->value, ends.value->range));
  for (const Argument* end : {ends.low, ends.high}) {
    if (!end || c.failed()) continue;
    const NodeId bound = c.as_int(c.as_node(end->value, end->range));
    if (!c.failed()) value = c.make(end == ends.low ? Op::maximum : Op::minimum, false, range, value, bound).node;
  }
  return c.failed() ? Value{} : c.of_node(value);
}

}  // namespace

Value apply_known(Compilation& c, const std::string& written, const Expression& e,
                  const std::vector<Argument>& arguments) {
  const FunctionRow* row = function_row(written);
  if (!row) return c.fail(e.range, written + " of these values is not part of the mask language");
  const FunctionCall call{*row, written, std::string(row->name()), e, arguments};
  const bool is_list =
      row->arrays == Arrays::or_list && !arguments.empty() && arguments.front().value.kind == Value::Kind::tuple;
  const bool of_arrays =
      row->arrays != Arrays::by_value && (row->arrays == Arrays::always || is_list || any_tensor(c, arguments));
  const Value made = of_arrays        ? apply_to_arrays(c, call)
                     : row->of_values ? row->of_values(c, call)
                                      : refused_values(c, call);
  return c.failed() ? Value{} : made;
}

Value refused_values(Compilation& c, const FunctionCall& call) {
  if (any_tensor(c, call.arguments))
    return c.fail(call.e.range, call.written + " of an array is not part of the mask language");
  if (!nodes_of(c, call)) return {};
  return c.fail(call.e.range, call.name + " of these values is not part of the mask language");
}

Value absolute_value(Compilation& c, const FunctionCall& call) {
  const auto nodes = nodes_of(c, call, 1);
  return nodes ? c.make(Op::absolute, false, call.e.range, c.as_int(nodes->front())) : Value{};
}

Value negated_value(Compilation& c, const FunctionCall& call) {
  const auto nodes = nodes_of(c, call, 1);
  return nodes ? c.make(Op::negate, false, call.e.range, c.as_int(nodes->front())) : Value{};
}

Value to_truth(Compilation& c, const FunctionCall& call) {
  const auto nodes = nodes_of(c, call, 1);
  return nodes ? c.of_node(c.as_bool(nodes->front())) : Value{};
}

/// int() of a fraction rounds towards zero.
Value to_integer(Compilation& c, const FunctionCall& call) {
  std::vector<Argument> whole = call.arguments;
  for (Argument& argument : whole)
    if (is_ratio(argument)) argument.value = rounded(c, Rounding::to_zero, argument.value, argument.range);
  const auto nodes = nodes_of(c, {call.row, call.written, call.name, call.e, whole}, 1);
  return nodes ? c.of_node(c.as_int(nodes->front())) : Value{};
}

/// Keeps fractions; float("-inf") is a number below all others.
Value to_real(Compilation& c, const FunctionCall& call) {
  const Argument* only = call.arguments.size() == 1 ? call.arguments.data() : nullptr;
  if (only && only->value.kind == Value::Kind::text) {
    const std::string& text = only->value.name;
    const bool is_infinite = text == "inf" || text == "+inf" || text == "infinity" || text == "-inf";
    if (is_infinite) return c.number_value(text.front() == '-' ? lowest_score : -lowest_score, call.e.range);
    return c.fail(call.e.range, "float of this text is not a number");
  }
  if (only && is_ratio(*only) && are_by_position(c, call)) return only->value;
  const auto nodes = nodes_of(c, call, 1);
  return nodes ? c.of_node(c.as_int(nodes->front())) : Value{};
}

Value logical_inverse(Compilation& c, const FunctionCall& call) {
  const auto nodes = nodes_of(c, call, 1);
  return nodes ? c.make(Op::logical_not, true, call.e.range, c.as_bool(nodes->front())) : Value{};
}

Value bitwise_inverse(Compilation& c, const FunctionCall& call) {
  const auto nodes = nodes_of(c, call, 1);
  if (!nodes) return {};
  const bool is_bool = c.node(nodes->front()).is_bool;
  return c.make(is_bool ? Op::logical_not : Op::bit_not, is_bool, call.e.range, nodes->front());
}

Value logical(Compilation& c, const FunctionCall& call) {
  const auto nodes = nodes_of(c, call, 2);
  if (!nodes) return {};
  const Op op = call.name == "logical_and"  ? Op::logical_and
                : call.name == "logical_or" ? Op::logical_or
                                            : Op::logical_xor;
  const NodeId left = c.as_bool(nodes->front());
  return c.make(op, true, call.e.range, left, c.as_bool(nodes->back()));
}

/// torch.minimum(a, b)
Value extreme_of_two(Compilation& c, const FunctionCall& call) { return extreme(c, call, 2); }

/// max of two values or more, of a list, of an array
Value extreme_of_all(Compilation& c, const FunctionCall& call) {
  const auto& arguments = call.arguments;
  if (any_tensor(c, arguments)) {
    // Along a dimension, max and min also return indices; amax and amin do not.
    const bool is_alone = call.written == "amax" || call.written == "amin";
    if (!is_alone && arguments.size() == 2 && arguments[1].keyword.empty() && is_tensor(c, arguments[1].value))
      return apply_known(c, call.name + "imum", call.e, arguments);
    return apply_to_tensors(c, is_alone ? call.written : call.name, arguments, call.e.range).value_or(Value{});
  }
  if (arguments.size() != 1 || arguments[0].value.kind != Value::Kind::tuple) return extreme(c, call, {});
  // A list may hold itself.
  if (c.calls >= max_calls) return c.fail(call.e.range, "{} of lists more than {} deep", call.name, max_calls);
  std::vector<Argument> all;
  for (const Value& item : *arguments[0].value.items) all.push_back({item, "", call.e.range});
  ++c.calls;
  Value made = apply_known(c, call.name, call.e, all);
  --c.calls;
  return made;
}

Value operated(Compilation& c, const FunctionCall& call) {
  if (!are_by_position(c, call)) return {};
  const auto& arguments = call.arguments;
  if (arguments.size() != 2) return takes(c, call.written, 2, arguments.size(), call.e.range);
  const std::string symbol(call.row.kernel);
  return is_comparison(symbol) ? compare_values(c, symbol, arguments[0], arguments[1], call.e.range, call.e.range)
                               : compile_operation(c, call.e, symbol, arguments[0], arguments[1]);
}

/// torch.where(condition, a, b)
Value chosen_number(Compilation& c, const FunctionCall& call) {
  const auto& arguments = call.arguments;
  if (!are_by_position(c, call)) return {};
  if (arguments.size() == 3) {
    const NodeId condition = c.as_node(arguments[0].value, arguments[0].range);
    return c.failed() ? Value{} : either(c, condition, arguments[1], arguments[2], call.e.range, Op::where);
  }
  const auto nodes = nodes_of(c, call, 3);
  return nodes ? chosen(c, Op::where, call.e.range, {(*nodes)[0], (*nodes)[1], (*nodes)[2]}) : Value{};
}

Value masked_fill_of(Compilation& c, const FunctionCall& call) {
  const auto& arguments = call.arguments;
  if (arguments.size() != 3) return refused_values(c, call);
  return apply_known(c, "where", call.e, {arguments[1], arguments[2], arguments[0]});
}

/// torch.div(a, b, rounding_mode="floor")
Value divided(Compilation& c, const FunctionCall& call) {
  const auto& arguments = call.arguments;
  const Argument* mode = by_keyword(arguments, "rounding_mode");
  if (arguments.size() != (mode ? 3U : 2U)) return takes(c, "div", 2, arguments.size(), call.e.range);
  if (mode && mode->value.name == "floor") return compile_operation(c, call.e, "//", arguments[0], arguments[1]);
  Value fraction = compile_operation(c, call.e, "/", arguments[0], arguments[1]);
  if (c.failed() || !mode || mode->value.name != "trunc") return fraction;
  return fraction.kind == Value::Kind::ratio ? rounded(c, Rounding::to_zero, fraction, call.e.range) : fraction;
}

/// floor, ceil, trunc, round
Value whole_value(Compilation& c, const FunctionCall& call) {
  const auto& arguments = call.arguments;
  const Range range = call.e.range;
  if (arguments.size() != 1) return takes(c, call.name, 1, arguments.size(), range);
  if (!is_ratio(arguments[0])) return c.of_node(c.as_int(c.as_node(arguments[0].value, range)));
  const auto way = call.name == "floor"   ? Rounding::down
                   : call.name == "ceil"  ? Rounding::up
                   : call.name == "round" ? Rounding::to_even
                                          : Rounding::to_zero;
  return rounded(c, way, arguments[0].value, range);
}

Value clamped(Compilation& c, const FunctionCall& call) {
  const Range range = call.e.range;
  const auto ends = clamp_ends(c, call.arguments, range);
  if (!ends) return {};
  if (!any_tensor(c, call.arguments)) return clamped_number(c, *ends, range);
  // One bound after the other: each may be an array.
  Argument value = *ends->value;
  for (const bool is_low : {true, false}) {
    const Argument* end = is_low ? ends->low : ends->high;
    if (!end || c.failed()) continue;
    const std::string bound = is_low ? "maximum" : "minimum";
    value.value = each_element(
        c, bound, {{value.value, "", value.range}, {end->value, "", end->range}},
        [&](const auto& cell) { return apply_known(c, bound, call.e, cell); }, range);
  }
  return c.failed() ? Value{} : value.value;
}

}  // namespace vqscope::language
