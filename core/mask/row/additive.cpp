// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/row/additive.h"

#include "core/base/sentence.h"
#include "core/method/shared/number_type.h"

#include <array>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

/// Numbers above it are biases.
constexpr double least_masking = -1000;

}  // namespace

std::span<const std::string> float_type_names() {
  static const std::array<std::string, 3> names{"float32", "float16", "bfloat16"};
  return names;
}

double most_negative(FloatType type) {
  switch (type) {
    case FloatType::float32: return std::numeric_limits<float>::lowest();
    case FloatType::float16: return -65504;
    case FloatType::bfloat16: return -0x1.fep127;
  }
  return 0;
}

std::optional<double> masked_number(const Mask& mask) {
  std::optional<double> found;
  for (const double number : mask.numbers()) {
    if (number > least_masking) continue;
    if (found) return std::nullopt;
    found = number;
  }
  return found;
}

std::string own_number_sentence(const AdditiveFormat& format) {
  if (!format.own) return {};
  const std::string text = to_text(static_cast<float>(*format.own));
  const std::string rounded = additive_text(format, false);
  const std::string type = float_type_names()[static_cast<std::size_t>(format.type)];
  return fmt::format("The file has {} where a key is masked{}", text,
                     rounded == text ? "." : ", which is " + rounded + " in " + type + ".");
}

double additive_value(const AdditiveFormat& format, bool visible) {
  if (visible) return 0;
  if (format.own) return number_type(float_type_names()[static_cast<std::size_t>(format.type)]).rounded(*format.own);
  return format.masked == MaskedValue::minus_infinity ? -std::numeric_limits<double>::infinity()
                                                      : most_negative(format.type);
}

std::string additive_text(const AdditiveFormat& format, bool visible) {
  return to_text(static_cast<float>(additive_value(format, visible)));
}

std::string short_additive_text(const AdditiveFormat& format, bool visible) {
  constexpr std::size_t longest = 8;
  constexpr int digits = 2;
  const std::string whole = additive_text(format, visible);
  return whole.size() > longest ? to_text(additive_value(format, visible), digits) : whole;
}

double neutral_weight(const RowReport& row, const AdditiveFormat& format, bool visible) {
  // exp of the most negative number is 0 in each of the types.
  if (!row.empty()) return visible ? 1 / static_cast<double>(row.count) : 0;
  if (std::isinf(additive_value(format, false))) return std::numeric_limits<double>::quiet_NaN();
  return 1 / static_cast<double>(row.keys);
}

std::string neutral_weights_sentence(const RowReport& row, const AdditiveFormat& format) {
  if (row.count == 1) return "Softmax of equal scores: the one visible key has all of the weight.";
  if (!row.empty())
    return fmt::format("Softmax of equal scores: each of the {} visible keys weighs 1/{}, masked keys 0.",
                       grouped(row.count), row.count);
  if (std::isinf(additive_value(format, false)))
    return "No key is visible: a softmax over -inf alone divides 0 by 0, every weight is NaN.";
  return fmt::format(
      "No key is visible: all {} keys hold the same {}, so the softmax is uniform over keys that are masked, 1/{} "
      "each.",
      grouped(row.keys), additive_text(format, false), row.keys);
}

}  // namespace vqscope
