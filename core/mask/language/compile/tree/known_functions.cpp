// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of torch, NumPy and Python with which masks are written.
#include "core/mask/language/compile/tree/tree.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/names/known_names.h"
#include "core/mask/language/parse/arithmetic.h"
#include "core/mask/language/parse/operators.h"

#include <algorithm>
#include <map>

namespace vqscope::language {
namespace {

/// The canonical name of a function that has several.
std::string canonical(std::string name) {
  if (name.starts_with("new_")) name = name.substr(4);
  if (name.ends_with("_like")) name = name.substr(0, name.size() - 5);
  static const std::map<std::string, std::string> others{
      {"multiply", "mul"},     {"subtract", "sub"},     {"divide", "div"},      {"true_divide", "div"},
      {"greater_equal", "ge"}, {"greater", "gt"},       {"less_equal", "le"},   {"less", "lt"},
      {"equal", "eq"},         {"not_equal", "ne"},     {"negative", "neg"},    {"mod", "remainder"},
      {"clip", "clamp"},       {"as_tensor", "tensor"}, {"asarray", "tensor"},  {"array", "tensor"},
      {"and_", "bitwise_and"}, {"or_", "bitwise_or"},   {"xor", "bitwise_xor"}, {"invert", "bitwise_not"},
      {"long", "int"},         {"int64", "int"},        {"int32", "int"},       {"absolute", "abs"},
      {"fix", "trunc"},        {"list", "tuple"},       {"concat", "cat"},      {"concatenate", "cat"},
      {"amin", "min"},         {"amax", "max"},         {"nelement", "numel"},  {"ndimension", "dim"}};
  const auto found = others.find(name);
  return found == others.end() ? name : found->second;
}

/// Functions that create dictionaries, and convert between texts and numbers.
std::optional<Value> make_object(Compilation& c, const std::string& name, const Expression& e,
                                 const std::vector<Argument>& arguments) {
  if (name == "SimpleNamespace") {
    Value made = new_dictionary(c, arguments, e.range);
    made.name = attributes_of;
    return c.failed() ? Value{} : made;
  }
  if (name == "dict" || name == "OrderedDict") return new_dictionary(c, arguments, e.range);
  if (arguments.size() == 1 && arguments[0].value.kind == Value::Kind::text && name == "float") {
    const std::string& text = arguments[0].value.name;
    const bool is_infinite = text == "inf" || text == "+inf" || text == "infinity" || text == "-inf";
    if (is_infinite) return c.number_value(text.front() == '-' ? lowest_score : -lowest_score, e.range);
    return c.fail(e.range, "float of this text is not a number");
  }
  if (name == "str" && arguments.size() == 1) {
    if (arguments[0].value.kind == Value::Kind::text) return arguments[0].value;
    return Value{.kind = Value::Kind::text, .name = key_of(c, arguments[0]).text};
  }
  return std::nullopt;
}

/// int() of a fraction rounds towards zero.
Value truncated(Compilation& c, const std::string& name, const Argument& argument) {
  const bool rounds = name == "int" && argument.value.kind == Value::Kind::ratio;
  return rounds ? rounded(c, Rounding::to_zero, argument.value, argument.range) : argument.value;
}

/// minimum, maximum and the like of two values or more.
Value extreme(Compilation& c, const std::string& name, const Expression& e, const std::vector<NodeId>& nodes) {
  const auto count = nodes.size();
  if (count < 2) return c.fail(e.range, "{} takes two values or more, found {}", name, count);
  NodeId result = c.as_int(nodes[0]);
  for (std::size_t i = 1; i < count && !c.failed(); ++i)
    result =
        c.make(name.starts_with("min") ? Op::minimum : Op::maximum, false, e.range, result, c.as_int(nodes[i])).node;
  return c.failed() ? Value{} : c.of_node(result);
}

Value apply_to_nodes(Compilation& c, const std::string& name, const Expression& e, const std::vector<NodeId>& nodes) {
  const auto count = nodes.size();
  const auto wanted = [&](std::size_t n) {
    if (count != n) (void)takes(c, name, n, count, e.range);
    return count == n;
  };
  if (name == "abs") return wanted(1) ? c.make(Op::absolute, false, e.range, c.as_int(nodes[0])) : Value{};
  if (name == "neg") return wanted(1) ? c.make(Op::negate, false, e.range, c.as_int(nodes[0])) : Value{};
  if (name == "bool") return wanted(1) ? c.of_node(c.as_bool(nodes[0])) : Value{};
  if (name == "int" || name == "float") return wanted(1) ? c.of_node(c.as_int(nodes[0])) : Value{};
  if (name == "logical_not") return wanted(1) ? c.make(Op::logical_not, true, e.range, c.as_bool(nodes[0])) : Value{};
  if (name == "bitwise_not") {
    if (!wanted(1)) return {};
    const bool is_bool = c.node(nodes[0]).is_bool;
    return c.make(is_bool ? Op::logical_not : Op::bit_not, is_bool, e.range, nodes[0]);
  }
  if (name == "where") return wanted(3) ? chosen(c, Op::where, e.range, {nodes[0], nodes[1], nodes[2]}) : Value{};
  if (name.starts_with("logical_")) {
    if (!wanted(2)) return {};
    const Op op = name == "logical_and" ? Op::logical_and : name == "logical_or" ? Op::logical_or : Op::logical_xor;
    const NodeId left = c.as_bool(nodes[0]);
    return c.make(op, true, e.range, left, c.as_bool(nodes[1]));
  }
  if ((name == "minimum" || name == "maximum") && !wanted(2)) return {};
  if (!name.starts_with("min") && !name.starts_with("max"))
    return c.fail(e.range, name + " of these values is not part of the mask language");
  return extreme(c, name, e, nodes);
}

/// torch.tensor(x), ones(()), full((), x): the value that every element has.
Value made(Compilation& c, const std::string& given_name, const std::string& name, const Expression& e,
           const std::vector<Argument>& arguments) {
  const Argument* type = by_keyword(arguments, "dtype");
  const bool is_bool = type && type->value.kind != Value::Kind::nothing && type->value.name == "bool";
  if (name == "ones" || name == "zeros") {
    const bool one = name == "ones";
    return is_bool ? c.flag(one, e.range) : c.of_node(c.build.constant(one ? 1 : 0, false, e.range));
  }
  const std::size_t place = name == "full" ? 1 : 0;
  const Argument* value = by_keyword(arguments, "fill_value");
  if (!value && arguments.size() > place) value = &arguments[place];
  if (!value) return takes(c, given_name, place + 1, arguments.size(), e.range);
  if (!is_bool || value->value.kind == Value::Kind::tuple) return value->value;
  const NodeId id = c.as_node(value->value, value->range);
  return c.failed() ? Value{} : c.of_node(c.as_bool(id));
}

/// torch.div(a, b, rounding_mode="floor")
Value divided(Compilation& c, const Expression& e, const std::vector<Argument>& arguments) {
  const Argument* mode = by_keyword(arguments, "rounding_mode");
  if (arguments.size() != (mode ? 3U : 2U)) return takes(c, "div", 2, arguments.size(), e.range);
  if (mode && mode->value.name == "floor") return compile_operation(c, e, "//", arguments[0], arguments[1]);
  Value fraction = compile_operation(c, e, "/", arguments[0], arguments[1]);
  if (c.failed() || !mode || mode->value.name != "trunc") return fraction;
  return fraction.kind == Value::Kind::ratio ? rounded(c, Rounding::to_zero, fraction, e.range) : fraction;
}

Value whole_value(Compilation& c, const std::string& name, const Expression& e,
                  const std::vector<Argument>& arguments) {
  if (arguments.size() != 1) return takes(c, name, 1, arguments.size(), e.range);
  if (arguments[0].value.kind != Value::Kind::ratio) return c.of_node(c.as_int(c.as_node(arguments[0].value, e.range)));
  const auto way = name == "floor"   ? Rounding::down
                   : name == "ceil"  ? Rounding::up
                   : name == "round" ? Rounding::to_even
                                     : Rounding::to_zero;
  return rounded(c, way, arguments[0].value, e.range);
}

/// min(max(x, low), high), either end may be missing.
Value clamp(Compilation& c, const Expression& e, const std::vector<Argument>& arguments) {
  const auto ends = clamp_ends(c, arguments, e.range);
  if (!ends) return {};
  NodeId value = c.as_int(c.as_node(ends->value->value, ends->value->range));
  for (const Argument* end : {ends->low, ends->high}) {
    if (!end || c.failed()) continue;
    const NodeId bound = c.as_int(c.as_node(end->value, end->range));
    if (!c.failed()) value = c.make(end == ends->low ? Op::maximum : Op::minimum, false, e.range, value, bound).node;
  }
  return c.failed() ? Value{} : c.of_node(value);
}

}  // namespace

Value apply_known(Compilation& c, const std::string& given_name, const Expression& e,
                  const std::vector<Argument>& arguments) {
  const std::string name = canonical(given_name);
  if (name == "and_masks" || name == "or_masks") return join_masks(c, e, name == "and_masks", arguments);
  if (name == "rearrange" || name == "einsum") return apply_by_axes(c, name, e, arguments);
  if (name == "masked_fill" && arguments.size() == 3)
    return apply_known(c, "where", e, {arguments[1], arguments[2], arguments[0]});
  // Along a dimension, max and min also return indices; amax and amin do not.
  const bool is_extreme_alone = given_name == "amax" || given_name == "amin";
  if (auto made = apply_to_arrays(c, given_name, is_extreme_alone ? given_name : name, e, arguments))
    return c.failed() ? Value{} : *made;
  if (c.failed()) return {};
  if (name == "clamp") return clamp(c, e, arguments);
  if (name == "div") return divided(c, e, arguments);
  if (name == "floor" || name == "ceil" || name == "trunc" || name == "round")
    return whole_value(c, name, e, arguments);
  if (name == "tensor" || name == "ones" || name == "zeros" || name == "full")
    return made(c, given_name, name, e, arguments);
  if (const bool is_array = name == "cumsum" || name == "bucketize" || name == "searchsorted"; is_array)
    return of_array(c, name, e, arguments);
  if (auto of_list = apply_to_list(c, name, e, arguments)) return *of_list;
  if (auto object = make_object(c, name, e, arguments)) return c.failed() ? Value{} : *object;
  if (auto of_numbers = apply_to_numbers(c, name, e, arguments)) return c.failed() ? Value{} : *of_numbers;
  if (c.failed()) return {};
  for (const Argument& argument : arguments)
    if (!argument.keyword.empty() && argument.keyword != "dtype" && argument.keyword != "dim")
      return c.fail(argument.range, "{} has no argument {}; give its values by position", given_name,
                    shortened(argument.keyword));
  if (const Operator* row = operator_of_function(name)) {
    const std::string symbol(row->symbol);
    if (arguments.size() != 2) return takes(c, given_name, 2, arguments.size(), e.range);
    if (!is_comparison(symbol)) return compile_operation(c, e, symbol, arguments[0], arguments[1]);
    return compare_values(c, symbol, arguments[0], arguments[1], e.range, e.range);
  }
  if (name == "where" && arguments.size() == 3) {
    const NodeId condition = c.as_node(arguments[0].value, arguments[0].range);
    return c.failed() ? Value{} : either(c, condition, arguments[1], arguments[2], e.range, Op::where);
  }
  if ((name == "dim" || name == "numel") && arguments.size() == 1)
    return c.of_node(c.build.constant(name == "dim" ? 0 : 1, false, e.range));
  const bool is_extreme = name == "minimum" || name == "maximum" || name == "min" || name == "max";
  const auto is_ratio = [](const Argument& a) { return a.value.kind == Value::Kind::ratio; };
  if (is_extreme && arguments.size() == 2 && std::ranges::any_of(arguments, is_ratio)) {
    const Value first =
        compare_fractions(c, name.starts_with("min") ? "<=" : ">=", arguments[0].value, arguments[1].value, e.range);
    if (c.failed()) return {};
    if (const auto known = c.settled(first.node)) return arguments[*known ? 0 : 1].value;
    return either(c, first.node, arguments[0], arguments[1], e.range, Op::where);
  }
  if (name == "float" && arguments.size() == 1 && is_ratio(arguments[0])) return arguments[0].value;
  std::vector<NodeId> nodes;
  for (const Argument& argument : arguments)
    if (argument.keyword.empty()) nodes.push_back(c.as_node(truncated(c, name, argument), argument.range));
  return c.failed() ? Value{} : apply_to_nodes(c, name, e, nodes);
}

}  // namespace vqscope::language
