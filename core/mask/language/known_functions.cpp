// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/expression_compiler.h"

#include "core/base/text.h"

namespace vqscope::language {

Value ExpressionCompiler::apply_known(const std::string& name, const Expression& e,
                                      const std::vector<Argument>& arguments) {
  if (name == "clamp") return clamp(e, arguments);
  std::vector<NodeId> nodes;
  for (const Argument& argument : arguments) {
    if (!argument.keyword.empty() && argument.keyword != "dtype")
      return fail(argument.range,
                  name + " has no argument " + shortened(argument.keyword) + "; give its values by position");
    nodes.push_back(as_node(argument.value, argument.range));
  }
  if (failed()) return {};
  const auto count = nodes.size();
  const auto wanted = [&](std::size_t n) {
    if (count != n)
      fail(e.range, name + " takes " + to_text(static_cast<Index>(n)) + (n == 1 ? " value" : " values") + ", found " +
                        to_text(static_cast<Index>(count)));
    return count == n;
  };
  if (name == "abs") return wanted(1) ? make(Op::absolute, false, e.range, as_int(nodes[0])) : Value{};
  if (name == "bool") return wanted(1) ? of_node(as_bool(nodes[0])) : Value{};
  if (name == "int" || name == "long") return wanted(1) ? of_node(as_int(nodes[0])) : Value{};
  if (name == "logical_not") return wanted(1) ? make(Op::logical_not, true, e.range, as_bool(nodes[0])) : Value{};
  if (name == "where") return wanted(3) ? choice(Op::where, e, {nodes[0], nodes[1], nodes[2]}) : Value{};
  if (name.starts_with("logical_")) {
    if (!wanted(2)) return {};
    const Op op = name == "logical_and" ? Op::logical_and : name == "logical_or" ? Op::logical_or : Op::logical_xor;
    const NodeId left = as_bool(nodes[0]);
    return make(op, true, e.range, left, as_bool(nodes[1]));
  }
  if ((name == "minimum" || name == "maximum") && !wanted(2)) return {};
  return extreme(name, e, nodes);
}

Value ExpressionCompiler::extreme(const std::string& name, const Expression& e, const std::vector<NodeId>& nodes) {
  const auto count = nodes.size();
  if (count < 2) return fail(e.range, name + " takes two values or more, found " + to_text(static_cast<Index>(count)));
  NodeId result = as_int(nodes[0]);
  for (std::size_t i = 1; i < count && !failed(); ++i)
    result = make(name.starts_with("min") ? Op::minimum : Op::maximum, false, e.range, result, as_int(nodes[i])).node;
  return failed() ? Value{} : of_node(result);
}

Value ExpressionCompiler::clamp(const Expression& e, const std::vector<Argument>& arguments) {
  NodeId value = no_node;
  NodeId low = no_node;
  NodeId high = no_node;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    const bool by_position = argument.keyword.empty();
    if (by_position ? i > 2 : (argument.keyword != "min" && argument.keyword != "max" && argument.keyword != "input"))
      return fail(argument.range, "clamp takes a value, min and max");
    NodeId& place = argument.keyword == "min"               ? low
                    : argument.keyword == "max"             ? high
                    : argument.keyword == "input" || i == 0 ? value
                    : i == 1                                ? low
                                                            : high;
    place = as_int(as_node(argument.value, argument.range));
    if (failed()) return {};
  }
  if (value == no_node || (low == no_node && high == no_node))
    return fail(e.range, "clamp takes a value and min, max or both");
  if (low != no_node) value = make(Op::maximum, false, e.range, value, low).node;
  if (!failed() && high != no_node) value = make(Op::minimum, false, e.range, value, high).node;
  return failed() ? Value{} : of_node(value);
}

}  // namespace vqscope::language
