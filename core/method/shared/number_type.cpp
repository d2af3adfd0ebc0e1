// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/shared/number_type.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>

namespace vqscope {
namespace {

constexpr int double_digits = std::numeric_limits<double>::digits;

const std::string group = "Arithmetic";

std::vector<Choice> choices() {
  std::vector<Choice> all;
  for (const auto& type : number_types()) all.push_back({type.id, type.help});
  return all;
}

/// Exponent of a double, from its bits: below -1022 for 0 and subnormal numbers.
int exponent_of(std::uint64_t bits) { return static_cast<int>(bits >> 52 & 0x7ff) - 1023; }

/// Below the smallest normal number values are multiples of one quantum.
double rounded_subnormal(double value, int digits, int least_exponent) {
  const int quantum = least_exponent + 1 - digits;
  return std::ldexp(std::nearbyint(std::ldexp(value, -quantum)), quantum);
}

}  // namespace

double NumberType::rounded(double value) const {
  if (digits == double_digits || !std::isfinite(value)) return value;
  auto bits = std::bit_cast<std::uint64_t>(value);
  if (exponent_of(bits) < least_exponent) return rounded_subnormal(value, digits, least_exponent);
  // A carry out of the significand runs into the exponent, which is then right too.
  const int dropped = double_digits - digits;
  const std::uint64_t odd = (bits >> dropped) & 1;
  bits += (std::uint64_t{1} << (dropped - 1)) - 1 + odd;
  bits &= ~((std::uint64_t{1} << dropped) - 1);
  const double nearest = std::bit_cast<double>(bits);
  if (std::abs(nearest) <= largest) return nearest;
  return std::copysign(std::numeric_limits<double>::infinity(), value);
}

double NumberType::unit() const { return std::ldexp(1.0, -digits); }

double NumberType::first_collision() const { return std::ldexp(1.0, digits) + 1; }

std::span<const NumberType> number_types() {
  static const std::vector<NumberType> all{
      {"float64", "IEEE 754 binary64, 53-bit significand", 53, -1022, std::numeric_limits<double>::max()},
      {"float32", "IEEE 754 binary32, 24-bit significand", 24, -126, std::numeric_limits<float>::max()},
      {"bfloat16", "the upper half of a float32, 8-bit significand", 8, -126, 0x1.fep127},
      {"float16", "IEEE 754 binary16, 11-bit significand, up to 65504", 11, -14, 65504}};
  return all;
}

const NumberType& number_type(std::string_view id) {
  const auto all = number_types();
  const auto it = std::ranges::find(all, id, &NumberType::id);
  assert(it != all.end());
  return *it;
}

ParameterSpec number_type_parameter() {
  return make_parameter("number_type", group, "Number type used for the computation.",
                        {.default_value = std::string("bfloat16"), .choices = choices()});
}

ParameterSpec number_types_parameter() {
  return make_parameter(
      "number_types", group, "Number types to plot.",
      {.default_value = std::vector<std::string>{"float32", "bfloat16", "float16"}, .choices = choices()});
}

}  // namespace vqscope
