// SPDX-License-Identifier: GPL-3.0-or-later
// Fractions of integers: what a mask does with / and with numbers such as 0.5, exactly. torch computes them in float32,
// which comes to the same comparisons while numerators stay below 2^24.
#include "core/mask/language/compile/expression_compiler.h"

#include "core/base/text.h"
#include "core/mask/language/parse/arithmetic.h"

namespace vqscope::language {

Value ExpressionCompiler::ratio_of(const Value& numerator, NodeId denominator) {
  if (failed()) return {};
  const Node& d = node(denominator);
  if (d.op == Op::constant && d.value == 1) return of_node(as_int(numerator.node));
  return {.kind = Value::Kind::ratio, .node = numerator.node, .denominator = denominator};
}

Value ExpressionCompiler::as_ratio(const Argument& argument) {
  if (argument.value.kind == Value::Kind::ratio) return argument.value;
  const NodeId value = as_node(argument.value, argument.range);
  if (failed()) return {};
  return {.kind = Value::Kind::ratio, .node = as_int(value), .denominator = m_build.constant(1, false, argument.range)};
}

NodeId ExpressionCompiler::product(NodeId a, NodeId b, Range range) {
  if (failed()) return no_node;
  if (node(a).op == Op::constant && node(a).value == 1) return b;
  if (node(b).op == Op::constant && node(b).value == 1) return a;
  if (node(a).op == Op::constant && node(b).op == Op::constant)
    if (const auto known = multiply(node(a).value, node(b).value)) return m_build.constant(*known, false, range);
  return make(Op::multiply, false, range, a, b).node;
}

Value ExpressionCompiler::fraction(const Expression& e, const std::string& symbol, const Argument& left,
                                   const Argument& right) {
  const Value a = as_ratio(left), b = as_ratio(right);
  if (failed()) return {};
  const Range range = e.range;
  if (symbol == "*")
    return ratio_of(of_node(product(a.node, b.node, range)), product(a.denominator, b.denominator, range));
  if (symbol == "/")
    return ratio_of(of_node(product(a.node, b.denominator, range)), product(a.denominator, b.node, range));
  const NodeId x = product(a.node, b.denominator, range);
  const NodeId y = product(b.node, a.denominator, range);
  if (failed()) return {};
  if (symbol == "+" || symbol == "-") {
    const Value sum = make(symbol == "+" ? Op::add : Op::subtract, false, range, x, y);
    return failed() ? Value{} : ratio_of(sum, product(a.denominator, b.denominator, range));
  }
  if (symbol == "//") return make(Op::floor_divide, false, range, x, y);
  if (symbol == "%") {
    const Value rest = make(Op::modulo, false, range, x, y);
    return failed() ? Value{} : ratio_of(rest, product(a.denominator, b.denominator, range));
  }
  return fail(range, symbol + " of a fraction is not part of the mask language");
}

/// Whole fractions are compared by their floor or ceiling, whatever the sign of what they are divided by.
Value ExpressionCompiler::compare_fractions(const std::string& symbol, const Value& left, const Value& right,
                                            Range range) {
  const Value a = as_ratio({left, "", range}), b = as_ratio({right, "", range});
  if (failed()) return {};
  const auto is_constant = [&](NodeId id) { return node(id).op == Op::constant && node(id).value > 0; };
  const Comparison written{no_node, no_node, no_node, symbol, range, range, range};
  if (is_constant(a.denominator) && is_constant(b.denominator)) {
    const NodeId x = product(a.node, b.denominator, range);
    const NodeId y = product(b.node, a.denominator, range);
    return failed() ? Value{} : compare_integers(symbol, x, y, written, range);
  }
  if (is_constant(b.denominator) && node(b.denominator).value == 1) {
    const bool down = symbol == "<" || symbol == ">=";
    if (symbol == "==" || symbol == "!=")
      return compare_integers(symbol, a.node, product(b.node, a.denominator, range), written, range);
    const NodeId whole = rounded(down ? Rounding::down : Rounding::up, a, range).node;
    return failed() ? Value{} : compare_integers(symbol, whole, b.node, written, range);
  }
  if (is_constant(a.denominator) && node(a.denominator).value == 1) {
    const std::string turned = symbol.starts_with("<")   ? ">" + symbol.substr(1)
                               : symbol.starts_with(">") ? "<" + symbol.substr(1)
                                                         : symbol;
    return compare_fractions(turned, right, left, range);
  }
  return fail(range, "two fractions can be compared where both are divided by numbers; write it with //");
}

Value ExpressionCompiler::rounded(Rounding rounding, const Value& fraction, Range range) {
  if (failed()) return {};
  const NodeId a = fraction.node, b = fraction.denominator;
  const auto down = [&] { return make(Op::floor_divide, false, range, a, b); };
  const auto up = [&]() -> Value {
    const Value negative = make(Op::negate, false, range, a);
    if (failed()) return {};
    const Value whole = make(Op::floor_divide, false, range, negative.node, b);
    return failed() ? Value{} : make(Op::negate, false, range, whole.node);
  };
  if (rounding == Rounding::down) return down();
  if (rounding == Rounding::up) return up();
  // Towards zero: down where both have the same sign.
  const NodeId zero = m_build.constant(0, false, range);
  const Value floor = down(), ceiling = up();
  if (failed()) return {};
  const Value below = make(Op::less, true, range, floor.node, zero);
  return failed() ? Value{} : make(Op::where, false, range, below.node, ceiling.node, floor.node);
}

}  // namespace vqscope::language
