// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/tensor/number_kernels.h"

#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>
#include <map>

namespace vqscope::language {
namespace {

using Numbers = const std::array<Index, 3>&;
using Known = std::optional<Index>;

Known divided(Numbers x) {
  if (x[1] == 0 || (x[0] == lowest && x[1] == -1)) return std::nullopt;
  return floor_divide(x[0], x[1]);
}
Known rest(Numbers x) { return x[1] == 0 ? std::nullopt : Known(floor_modulo(x[0], x[1])); }
Known raised(Numbers x) { return x[1] < 0 ? std::nullopt : power(x[0], x[1]); }
Known left(Numbers x) { return x[1] < 0 || x[1] > 63 ? std::nullopt : shift_left(x[0], x[1]); }
Known right(Numbers x) { return x[1] < 0 || x[1] > 63 ? std::nullopt : Known(x[0] >> x[1]); }
Known negated(Numbers x) { return subtract(0, x[0]); }
Known absolute(Numbers x) { return x[0] < 0 ? subtract(0, x[0]) : Known(x[0]); }

}  // namespace

const NumberKernel* number_kernel(std::string_view name) {
  using Result = NumberKernel::Result;
  static const std::map<std::string_view, NumberKernel> all{
      {"+", {[](Numbers x) { return add(x[0], x[1]); }, Result::integer}},
      {"-", {[](Numbers x) { return subtract(x[0], x[1]); }, Result::integer}},
      {"*", {[](Numbers x) { return multiply(x[0], x[1]); }, Result::as_operands}},
      {"//", {divided, Result::integer}},
      {"%", {rest, Result::integer}},
      {"**", {raised, Result::integer}},
      {"<<", {left, Result::integer}},
      {">>", {right, Result::integer}},
      {"&", {[](Numbers x) { return Known(x[0] & x[1]); }, Result::as_operands}},
      {"|", {[](Numbers x) { return Known(x[0] | x[1]); }, Result::as_operands}},
      {"^", {[](Numbers x) { return Known(x[0] ^ x[1]); }, Result::as_operands}},
      {"<", {[](Numbers x) { return Known(x[0] < x[1]); }, Result::truth}},
      {"<=", {[](Numbers x) { return Known(x[0] <= x[1]); }, Result::truth}},
      {">", {[](Numbers x) { return Known(x[0] > x[1]); }, Result::truth}},
      {">=", {[](Numbers x) { return Known(x[0] >= x[1]); }, Result::truth}},
      {"==", {[](Numbers x) { return Known(x[0] == x[1]); }, Result::truth}},
      {"!=", {[](Numbers x) { return Known(x[0] != x[1]); }, Result::truth}},
      {"minimum", {[](Numbers x) { return Known(std::min(x[0], x[1])); }, Result::as_operands}},
      {"maximum", {[](Numbers x) { return Known(std::max(x[0], x[1])); }, Result::as_operands}},
      {"logical_and", {[](Numbers x) { return Known(x[0] != 0 && x[1] != 0); }, Result::truth}},
      {"logical_or", {[](Numbers x) { return Known(x[0] != 0 || x[1] != 0); }, Result::truth}},
      {"logical_xor", {[](Numbers x) { return Known((x[0] != 0) != (x[1] != 0)); }, Result::truth}},
      {"logical_not", {[](Numbers x) { return Known(x[0] == 0); }, Result::truth}},
      {"bool", {[](Numbers x) { return Known(x[0] != 0); }, Result::truth}},
      {"int", {[](Numbers x) { return Known(x[0]); }, Result::integer}},
      {"bit_not", {[](Numbers x) { return Known(~x[0]); }, Result::integer}},
      {"neg", {negated, Result::integer}},
      {"abs", {absolute, Result::integer}},
      {"where", {[](Numbers x) { return Known(x[0] != 0 ? x[1] : x[2]); }, Result::as_operands}}};
  const auto found = all.find(name);
  return found == all.end() ? nullptr : &found->second;
}

}  // namespace vqscope::language
