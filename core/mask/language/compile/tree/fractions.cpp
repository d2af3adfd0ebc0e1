// SPDX-License-Identifier: GPL-3.0-or-later
// Exact fractions of integers, from / and from numbers such as 0.5. torch computes them in float32,
// which gives the same comparisons while numerators stay below 2^24.
#include "core/mask/language/compile/tree/tree.h"

#include "core/base/text.h"
#include "core/mask/language/parse/arithmetic.h"

namespace vqscope::language {
namespace {

NodeId product_node(Compilation& c, NodeId a, NodeId b, Range range) {
  if (c.failed()) return no_node;
  if (c.node(a).op == Op::constant && c.node(a).value == 1) return b;
  if (c.node(b).op == Op::constant && c.node(b).value == 1) return a;
  if (c.node(a).op == Op::constant && c.node(b).op == Op::constant)
    if (const auto known = multiply(c.node(a).value, c.node(b).value)) return c.build.constant(*known, false, range);
  return c.make(Op::multiply, false, range, a, b).node;
}

/// The integer nearest to a / b, ties to even: floor((2a + b) / 2b), minus 1 if a tie gives an odd
/// integer.
Value nearest(Compilation& c, NodeId a, NodeId b, Range range) {
  const NodeId two = c.build.constant(2, false, range);
  const NodeId twice = product_node(c, b, two, range);
  const NodeId doubled = product_node(c, a, two, range);
  const auto made = [&](Op op, bool is_bool, NodeId x, NodeId y) {
    return c.failed() ? no_node : c.make(op, is_bool, range, x, y).node;
  };
  const NodeId moved = made(Op::add, false, doubled, b);
  const NodeId up = made(Op::floor_divide, false, moved, twice);
  const NodeId rest = made(Op::modulo, false, moved, twice);
  const NodeId odd = made(Op::modulo, false, up, two);
  if (c.failed()) return {};
  const NodeId is_half = made(Op::equal, true, rest, c.build.constant(0, false, range));
  const NodeId less = made(Op::multiply, false, c.failed() ? no_node : c.as_int(is_half), odd);
  return c.failed() ? Value{} : c.make(Op::subtract, false, range, up, less);
}

/// Whether a / b is n, with b by cell: where b is 0, torch has no number that equals n.
Value equals_quotient(Compilation& c, const std::string& symbol, NodeId a, NodeId b, NodeId n, Range range) {
  const Comparison written{no_node, no_node, no_node, symbol, range, range, range};
  Value same = compare_integers(c, symbol, a, product_node(c, n, b, range), written, range);
  if (c.failed() || c.node(b).op == Op::constant) return same;
  const bool is_equality = symbol == "==";
  const Value guard =
      c.make(is_equality ? Op::not_equal : Op::equal, true, range, b, c.build.constant(0, false, range));
  return c.failed() ? Value{}
                    : c.make(is_equality ? Op::logical_and : Op::logical_or, true, range, same.node, guard.node);
}

}  // namespace

Value ratio_of(Compilation& c, const Value& numerator, NodeId denominator) {
  if (c.failed()) return {};
  const Node& d = c.node(denominator);
  if (d.op == Op::constant && d.value == 1) return c.of_node(c.as_int(numerator.node));
  return {.kind = Value::Kind::ratio, .node = numerator.node, .denominator = denominator};
}

Value as_ratio(Compilation& c, const Argument& argument) {
  if (argument.value.kind == Value::Kind::ratio) return argument.value;
  const NodeId value = c.as_node(argument.value, argument.range);
  if (c.failed()) return {};
  return {
      .kind = Value::Kind::ratio, .node = c.as_int(value), .denominator = c.build.constant(1, false, argument.range)};
}

Value fraction(Compilation& c, const Expression& e, const std::string& symbol, const Argument& left,
               const Argument& right) {
  const Value a = as_ratio(c, left), b = as_ratio(c, right);
  if (c.failed()) return {};
  const Range range = e.range;
  if (symbol == "*")
    return ratio_of(c, c.of_node(product_node(c, a.node, b.node, range)),
                    product_node(c, a.denominator, b.denominator, range));
  if (symbol == "/")
    return ratio_of(c, c.of_node(product_node(c, a.node, b.denominator, range)),
                    product_node(c, a.denominator, b.node, range));
  const NodeId x = product_node(c, a.node, b.denominator, range);
  const NodeId y = product_node(c, b.node, a.denominator, range);
  if (c.failed()) return {};
  if (symbol == "+" || symbol == "-") {
    const Value sum = c.make(symbol == "+" ? Op::add : Op::subtract, false, range, x, y);
    return c.failed() ? Value{} : ratio_of(c, sum, product_node(c, a.denominator, b.denominator, range));
  }
  if (symbol == "//") return c.make(Op::floor_divide, false, range, x, y);
  if (symbol == "%") {
    const Value rest = c.make(Op::modulo, false, range, x, y);
    return c.failed() ? Value{} : ratio_of(c, rest, product_node(c, a.denominator, b.denominator, range));
  }
  return c.fail(range, symbol + " of a fraction is not part of the mask language");
}

Value compare_fractions(Compilation& c, const std::string& symbol, const Value& left, const Value& right, Range range) {
  const Value a = as_ratio(c, {left, "", range}), b = as_ratio(c, {right, "", range});
  if (c.failed()) return {};
  const auto is_constant = [&](NodeId id) { return c.node(id).op == Op::constant && c.node(id).value > 0; };
  const Comparison written{no_node, no_node, no_node, symbol, range, range, range};
  if (is_constant(a.denominator) && is_constant(b.denominator)) {
    const NodeId x = product_node(c, a.node, b.denominator, range);
    const NodeId y = product_node(c, b.node, a.denominator, range);
    return c.failed() ? Value{} : compare_integers(c, symbol, x, y, written, range);
  }
  if (is_constant(b.denominator) && c.node(b.denominator).value == 1) {
    const bool down = symbol == "<" || symbol == ">=";
    if (symbol == "==" || symbol == "!=") return equals_quotient(c, symbol, a.node, a.denominator, b.node, range);
    const NodeId whole = rounded(c, down ? Rounding::down : Rounding::up, a, range).node;
    return c.failed() ? Value{} : compare_integers(c, symbol, whole, b.node, written, range);
  }
  if (is_constant(a.denominator) && c.node(a.denominator).value == 1) {
    const std::string turned = symbol.starts_with("<")   ? ">" + symbol.substr(1)
                               : symbol.starts_with(">") ? "<" + symbol.substr(1)
                                                         : symbol;
    return compare_fractions(c, turned, right, left, range);
  }
  return c.fail(range, "two fractions can be compared where both are divided by numbers; write it with //");
}

Value rounded(Compilation& c, Rounding rounding, const Value& fraction, Range range) {
  if (c.failed()) return {};
  const NodeId a = fraction.node, b = fraction.denominator;
  const auto down = [&] { return c.make(Op::floor_divide, false, range, a, b); };
  const auto up = [&]() -> Value {
    const Value negative = c.make(Op::negate, false, range, a);
    if (c.failed()) return {};
    const Value whole = c.make(Op::floor_divide, false, range, negative.node, b);
    return c.failed() ? Value{} : c.make(Op::negate, false, range, whole.node);
  };
  if (rounding == Rounding::down) return down();
  if (rounding == Rounding::up) return up();
  if (rounding == Rounding::to_even) return nearest(c, a, b, range);
  // Towards zero: down where both have the same sign.
  const NodeId zero = c.build.constant(0, false, range);
  const Value floor = down(), ceiling = up();
  if (c.failed()) return {};
  const Value below = c.make(Op::less, true, range, floor.node, zero);
  return c.failed() ? Value{} : c.make(Op::where, false, range, below.node, ceiling.node, floor.node);
}

}  // namespace vqscope::language
