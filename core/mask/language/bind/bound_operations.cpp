// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/bind/bound_program.h"
#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>
#include <bit>

namespace vqscope::language {
namespace {

__extension__ using Wide = __int128;

constexpr Bounds everything{lowest, highest};
constexpr Bounds maybe{0, 1};

struct WideBounds {
  Wide low = 0;
  Wide high = 0;
};

WideBounds hull(std::initializer_list<Wide> values) {
  const auto [low, high] = std::minmax(values);
  return {low, high};
}

bool fits(Wide value) { return value >= lowest && value <= highest; }

/// All 64-bit values if something wraps.
Bounds narrowed(WideBounds wide, bool* exact) {
  const bool all_fit = fits(wide.low) && fits(wide.high);
  if (exact) *exact = all_fit;
  return all_fit ? Bounds{static_cast<Index>(wide.low), static_cast<Index>(wide.high)} : everything;
}

Bounds truth(bool can_be_false, bool can_be_true) { return {can_be_false ? 0 : 1, can_be_true ? 1 : 0}; }

Bounds overflow(WideBounds wide) {
  if (fits(wide.low) && fits(wide.high)) return {0, 0};
  return wide.low > highest || wide.high < lowest ? Bounds{1, 1} : maybe;
}

WideBounds sum(Bounds a, Bounds b) { return {Wide{a.low} + b.low, Wide{a.high} + b.high}; }
WideBounds difference(Bounds a, Bounds b) { return {Wide{a.low} - b.high, Wide{a.high} - b.low}; }
WideBounds product(Bounds a, Bounds b) {
  return hull({Wide{a.low} * b.low, Wide{a.low} * b.high, Wide{a.high} * b.low, Wide{a.high} * b.high});
}

Bounds quotient(Bounds a, Bounds b, bool* exact) {
  if (b.low > 0 || b.high < 0) {
    if (a.low == lowest && b.low <= -1 && b.high >= -1) {
      if (exact) *exact = false;
      return everything;
    }
    const auto q = {floor_divide(a.low, b.low), floor_divide(a.low, b.high), floor_divide(a.high, b.low),
                    floor_divide(a.high, b.high)};
    return {std::min(q), std::max(q)};
  }
  if (a.low == lowest) {
    if (exact) *exact = false;
    return everything;
  }
  const Index most = std::max({-a.low, a.low, a.high, -a.high});
  return {-most, most};
}

Bounds rest(Bounds a, Bounds b) {
  if (b.low == b.high && b.low > 0 && floor_divide(a.low, b.low) == floor_divide(a.high, b.low))
    return {floor_modulo(a.low, b.low), floor_modulo(a.high, b.low)};
  const Index low = b.low < 0 ? b.low + 1 : 0;
  return {low, b.high > 0 ? b.high - 1 : 0};
}

bool fits_power(Bounds a, Bounds b) { return a.low >= 0 && b.low >= 0 && power(a.high, b.high).has_value(); }

Bounds powers(Bounds a, Bounds b, bool* exact) {
  if (fits_power(a, b)) {
    if (a.low == 0) return {0, std::max<Index>(*power(a.high, b.high), 1)};
    return {*power(a.low, b.low), *power(a.high, b.high)};
  }
  if (exact) *exact = false;
  return everything;
}

bool fits_shift(Bounds a, Bounds b) {
  return b.low >= 0 && b.high <= 63 && shift_left(a.low, b.high) && shift_left(a.high, b.high);
}

Bounds shifted_left(Bounds a, Bounds b, bool* exact) {
  if (fits_shift(a, b)) {
    const Index low = *shift_left(a.low, a.low < 0 ? b.high : b.low);
    return {low, *shift_left(a.high, a.high < 0 ? b.low : b.high)};
  }
  if (exact) *exact = false;
  return everything;
}

Bounds shifted_right(Bounds a, Bounds b) {
  if (b.low < 0 || b.high > 63) return {std::min<Index>(a.low, -1), std::max<Index>(a.high, 0)};
  const auto all = {a.low >> b.low, a.low >> b.high, a.high >> b.low, a.high >> b.high};
  return {std::min(all), std::max(all)};
}

Bounds bits(Op op, Bounds a, Bounds b) {
  if (op == Op::bit_and && (a.low >= 0 || b.low >= 0)) {
    if (a.low >= 0 && b.low >= 0) return {0, std::min(a.high, b.high)};
    return {0, a.low >= 0 ? a.high : b.high};
  }
  if (a.low < 0 || b.low < 0) return everything;
  const auto width = std::bit_width(static_cast<std::uint64_t>(a.high | b.high));
  const auto high = static_cast<Index>((width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1) >> 0U);
  return {0, high};
}

Bounds absolute(Bounds a, bool* exact) {
  if (a.low >= 0) return a;
  if (a.low == lowest) {
    if (exact) *exact = false;
    return everything;
  }
  return {a.high <= 0 ? -a.high : 0, std::max(-a.low, a.high)};
}

Bounds element(const BoundArray& array, Bounds index) {
  const Range inside{std::max<Index>(index.low, 0), std::min(index.high, array.size() - 1) + 1};
  if (inside.size() <= 0) return {0, 0};
  const Bounds found = array.bounds(inside);
  if (index.low >= inside.begin && index.high < inside.end) return found;
  return {std::min<Index>(found.low, 0), std::max<Index>(found.high, 0)};
}

/// The value of the operator's row, or whether it has none; 0 without a row.
Index from_table(Op op, Index a, Index b) {
  const auto number = static_cast<std::size_t>(op);
  const bool is_failure = number >= first_failure;
  const Operator* row = operator_of(is_failure ? static_cast<Op>(number - first_failure) : op);
  if (!row) return 0;
  const auto value = row->value(a, b);
  return is_failure ? (value ? 0 : 1) : value.value_or(0);
}

Bounds by_value(const BoundNode& node, Bounds a, Bounds b, bool* exact) {
  if (a.low == a.high && b.low == b.high) {
    const Index only = from_table(node.op, a.low, b.low);
    return {only, only};
  }
  if (node.is_bool) return maybe;
  if (exact) *exact = false;
  return everything;
}

/// Whether an operation on numbers within these bounds can have no value, or always has none.
Bounds failures(const BoundNode& node, Bounds a, Bounds b) {
  switch (static_cast<Op>(static_cast<std::size_t>(node.op) - first_failure)) {
    case Op::add: return overflow(sum(a, b));
    case Op::subtract: return overflow(difference(a, b));
    case Op::multiply: return overflow(product(a, b));
    case Op::power: return fits_power(a, b) ? Bounds{0, 0} : by_value(node, a, b, nullptr);
    case Op::shift_left: return fits_shift(a, b) ? Bounds{0, 0} : by_value(node, a, b, nullptr);
    default: return by_value(node, a, b, nullptr);
  }
}

}  // namespace

Bounds bounds_of(const BoundProgram& program, const BoundNode& node, const Rect& cells, Bounds a, Bounds b, Bounds c,
                 bool* exact) {
  switch (node.op) {
    case Op::constant: return {node.value, node.value};
    case Op::q: return {cells.rows.begin, cells.rows.end - 1};
    case Op::kv: return {cells.cols.begin, cells.cols.end - 1};
    case Op::element: return element(*program.arrays[static_cast<std::size_t>(node.value)], a);
    case Op::negate: return narrowed({-Wide{a.high}, -Wide{a.low}}, exact);
    case Op::absolute: return absolute(a, exact);
    case Op::bit_not: return {~a.high, ~a.low};
    case Op::add: return narrowed(sum(a, b), exact);
    case Op::subtract: return narrowed(difference(a, b), exact);
    case Op::multiply: return narrowed(product(a, b), exact);
    case Op::floor_divide: return quotient(a, b, exact);
    case Op::modulo: return rest(a, b);
    case Op::power: return powers(a, b, exact);
    case Op::shift_left: return shifted_left(a, b, exact);
    case Op::shift_right: return shifted_right(a, b);
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor: return bits(node.op, a, b);
    case Op::minimum: return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Op::maximum: return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case Op::to_int: return a;
    case Op::select:
      if (a.low == a.high) return a.low != 0 ? b : c;
      return {std::min(b.low, c.low), std::max(b.high, c.high)};
    case Op::less: return truth(a.high >= b.low, a.low < b.high);
    case Op::less_equal: return truth(a.high > b.low, a.low <= b.high);
    case Op::equal: {
      const bool one = a.low == a.high && a == b;
      return truth(!one, a.low <= b.high && b.low <= a.high);
    }
    case Op::logical_not: return {1 - a.high, 1 - a.low};
    case Op::logical_and: return {a.low & b.low, a.high & b.high};
    case Op::logical_or: return {a.low | b.low, a.high | b.high};
    case Op::logical_xor: return a.low == a.high && b.low == b.high ? Bounds{a.low ^ b.low, a.low ^ b.low} : maybe;
    default: return node.op < failure_of(Op{}) ? by_value(node, a, b, exact) : failures(node, a, b);
  }
}

Index evaluate(Op op, Index a, Index b, Index c) {
  using Unsigned = std::uint64_t;
  const auto ua = static_cast<Unsigned>(a);
  const auto ub = static_cast<Unsigned>(b);
  switch (op) {
    case Op::negate: return static_cast<Index>(Unsigned{0} - ua);
    case Op::absolute: return a < 0 ? static_cast<Index>(Unsigned{0} - ua) : a;
    case Op::bit_not: return ~a;
    case Op::add: return static_cast<Index>(ua + ub);
    case Op::subtract: return static_cast<Index>(ua - ub);
    case Op::multiply: return static_cast<Index>(ua * ub);
    case Op::floor_divide:
      if (b == 0) return 0;
      return b == -1 ? static_cast<Index>(Unsigned{0} - ua) : floor_divide(a, b);
    case Op::modulo: return b == 0 ? 0 : floor_modulo(a, b);
    case Op::shift_left: return b < 0 || b > 63 ? 0 : shift_left(a, b).value_or(0);
    case Op::shift_right: return b < 0 || b > 63 ? 0 : a >> b;
    case Op::bit_and:
    case Op::logical_and: return a & b;
    case Op::bit_or:
    case Op::logical_or: return a | b;
    case Op::bit_xor:
    case Op::logical_xor: return a ^ b;
    case Op::minimum: return std::min(a, b);
    case Op::maximum: return std::max(a, b);
    case Op::to_int: return a;
    case Op::select: return a != 0 ? b : c;
    case Op::less: return a < b;
    case Op::less_equal: return a <= b;
    case Op::equal: return a == b;
    case Op::logical_not: return 1 - a;
    default: return from_table(op, a, b);
  }
}

}  // namespace vqscope::language
