// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of numbers that are known while the text is compiled: gcd, roots and logarithms.
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/compile/tree/function_call.h"

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

}  // namespace vqscope::language
